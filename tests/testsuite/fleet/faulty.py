#!/usr/bin/env python3
"""Adapters that are broken on purpose: the Python template with one thing wrong, named by the first argument."""

import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../docs/adapters/python"))

import adapter  # noqa: E402
from adapter import Adapter, Refusal  # noqa: E402


class DropsTheJob(Adapter):
    def add(self, request, line):
        self.base(request["queue"])
        return '{"job_id":"never-added"}'


class LosesTheJob(Adapter):
    def claim(self, base, job, token):
        self.server.command("RPOP", base + "wait")
        return [self.server.command("HGET", base + job, "payload"), 1]


class CompletesTwice(Adapter):
    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        answer = super().complete(request, line)
        self.server.command("ZADD", base + "completed", 1, job)
        return answer


class OnlySaysItCompletes(Adapter):
    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        self.server.command("LREM", base + "active", 1, job)
        self.server.command("DEL", base + job + ":lock")
        return "{}"


class DoesNotComplete(Adapter):
    def complete(self, request, line):
        return "{}"


class Rewrites(Adapter):
    """Hands the payload out as something else."""

    def rewritten(self, text):
        return text

    def job(self, job, payload, attempts):
        return super().job(job, self.rewritten(payload.decode()).encode(), attempts)


class ChangesANumber(Rewrites):
    def rewritten(self, text):
        return json.dumps(json.loads(text, parse_int=float))


class ArrayToObject(Rewrites):
    def rewritten(self, text):
        return text.replace("[]", "{}")


class LosesRepeats(Rewrites):
    def rewritten(self, text):
        return json.dumps(json.loads(text))


class ChangesWhatItStores(Adapter):
    def add(self, request, line):
        return super().add(request, line.replace("[]", "{}"))


class WrongTag(Adapter):
    def claim(self, base, job, token):
        self.server.command("SET", "emq:{%s}:lock" % job, token)
        return super().claim(base, job, token)


class UndeclaredKey(Adapter):
    def claim(self, base, job, token):
        script = adapter.CLAIM.replace("KEYS[4]", "ARGV[4] .. ARGV[1] .. ':lock'")
        return self.script(script, [base + "wait", base + "active", base + job], job, token, 30000, base)


class NoLock(Adapter):
    def claim(self, base, job, token):
        script = re.sub(r"redis.call\('SET'.*\n", "", adapter.CLAIM)
        keys = [base + "wait", base + "active", base + job]
        return self.script(script, keys, job, token)

    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        self.server.command("SET", base + job + ":lock", self.tokens[job])
        return super().complete(request, line)


class LocksForEver(Adapter):
    def claim(self, base, job, token):
        claimed = super().claim(base, job, token)
        self.server.command("PERSIST", base + job + ":lock")
        return claimed


class TakesAgain(Adapter):
    """Hands out what is done."""

    done = None

    def complete(self, request, line):
        answer = super().complete(request, line)
        self.done = request["job_id"]
        return answer

    def take(self, request, line):
        if self.done:
            return '{"job":{"job_id":"%s","data":{}}}' % self.done
        return super().take(request, line)


class OtherName(Adapter):
    def job(self, job, payload, attempts):
        return super().job(job, payload, attempts).replace('"name":null', '"name":"other"')


class OtherJob(Adapter):
    def job(self, job, payload, attempts):
        return super().job("another", payload, attempts)


class SlowWithinTime(Adapter):
    def take(self, request, line):
        time.sleep(0.3)
        return super().take(request, line)


class Slow(Adapter):
    def take(self, request, line):
        time.sleep(600)
        return super().take(request, line)


class Hangs(Adapter):
    """Heeds nobody, and so do those that it starts: one in its group, one that has left it."""

    def take(self, request, line):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for leaves in (False, True):
            child = subprocess.Popen(["sleep", "600"], start_new_session=leaves, stdin=subprocess.DEVNULL)
            with open(os.environ["EMQ_TEST_PIDS"], "a") as file:
                file.write("%d\n" % child.pid)
        with open(os.environ["EMQ_TEST_PIDS"], "a") as file:
            file.write("%d\n" % os.getpid())
        while True:
            time.sleep(600)


class HangsAtHello(Adapter):
    def hello(self, request, line):
        time.sleep(600)


class DiesMidLine(Adapter):
    def take(self, request, line):
        sys.stdout.write('{"id":%d,"ok":{"jo' % request["id"])
        sys.stdout.flush()
        sys.stderr.write("it is all over\n")
        sys.stderr.flush()
        os._exit(3)


class Killed(Adapter):
    def take(self, request, line):
        os.kill(os.getpid(), signal.SIGKILL)


class Floods(Adapter):
    def take(self, request, line):
        while True:
            sys.stdout.write("x" * 65536)


class FloodsWithAnswers(Adapter):
    """Answers what was asked before, for ever."""

    def take(self, request, line):
        while True:
            sys.stdout.write('{"id":1,"ok":{}}\n')


class FloodsErrors(Adapter):
    def take(self, request, line):
        while True:
            sys.stderr.write("y" * 65536 + "\n")


class Garbage(Adapter):
    def take(self, request, line):
        return "hello\x1b[2Jthere"


class NoJson(Adapter):
    def hello(self, request, line):
        sys.stdout.buffer.write("starting up …\n".encode())
        sys.stdout.buffer.flush()
        return super().hello(request, line)


class NoWire(Adapter):
    """Leaves out a field that hello must have."""

    def hello(self, request, line):
        return super().hello(request, line).replace('"wire"', '"wires"')


class Exits(Adapter):
    def hello(self, request, line):
        sys.stderr.write("no licence\n")
        sys.stderr.flush()
        os._exit(7)


class WritesV1(Adapter):
    """Says that it speaks v2, and writes the old line's keys."""

    def base(self, queue):
        super().base(queue)
        return "emq:%s:" % queue


class OnlyProduces(Adapter):
    def hello(self, request, line):
        return super().hello(request, line).replace(', "consumer"', "")


class RefusesNesting(Adapter):
    def add(self, request, line):
        if "[" in line:
            raise Refusal("not-supported", "no lists")
        return super().add(request, line)


class Refuses(Adapter):
    def add(self, request, line):
        raise Refusal("definite", "the queue is full")


class Unsure(Adapter):
    def complete(self, request, line):
        super().complete(request, line)
        raise Refusal("indefinite", "the connection broke")


class OtherField(Adapter):
    """Keeps the payload where only its like looks."""

    def script(self, text, keys, *arguments):
        return super().script(text.replace("'payload'", "'data'"), keys, *arguments)


class PausesTheServer(Adapter):
    """Has the server answer nobody, and says nothing itself."""

    def take(self, request, line):
        self.server.command("CLIENT", "PAUSE", 60000, "ALL")
        time.sleep(600)


class EndsTheServer(Adapter):
    def take(self, request, line):
        try:
            self.server.command("SHUTDOWN", "NOSAVE")
        except OSError:
            pass
        return super().take(request, line)


class SupportsNothing(Adapter):
    def add(self, request, line):
        raise Refusal("not-supported", "no queues")

    take = complete = add


class CompletesAtOnce(Adapter):
    """Lists a job as completed while it is taken; completing it only lets go of it."""

    def claim(self, base, job, token):
        self.server.command("ZADD", base + "completed", 1, job)
        return super().claim(base, job, token)

    def complete(self, request, line):
        return OnlySaysItCompletes.complete(self, request, line)


class MovesWhatItCompletes(Adapter):
    """Sound: completed jobs are a list, to which the one that is held moves without its name."""

    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        self.server.command("LMOVE", base + "active", base + "completed", "LEFT", "LEFT")
        self.server.command("DEL", base + job + ":lock")
        return "{}"


class NumbersItsJobs(MovesWhatItCompletes):
    """Sound: ids are 1, 2, 3, as counts and scores are."""

    def add(self, request, line):
        base = self.base(request["queue"])
        job = str(self.server.command("INCR", base + "id"))
        self.script(adapter.ADD, [base + "wait", base + job], job, adapter.raw_text(line, "data"))
        return json.dumps({"job_id": job})


class GivesAnIdAgain(Adapter):
    """Sound: keeps nothing of what is done, and the id is free again."""

    def add(self, request, line):
        base = self.base(request["queue"])
        self.script(adapter.ADD, [base + "wait", base + "7"], "7", adapter.raw_text(line, "data"))
        return '{"job_id":"7"}'

    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        self.server.command("LREM", base + "active", 1, job)
        self.server.command("DEL", base + job, base + job + ":lock")
        return "{}"


class StoresTooMuch(Adapter):
    def add(self, request, line):
        answer = super().add(request, line)
        job = json.loads(answer)["job_id"]
        self.server.command("HSET", self.base(request["queue"]) + job, "payload", '"%s"' % ("x" * (5 << 20)))
        return answer


class AnswersInFloats(Adapter):
    """Sound: writes its numbers as a runtime does that has floats alone."""

    def job(self, job, payload, attempts):
        return super().job(job, payload, attempts).replace('"attempt":1', '"attempt":1.0')


class DiesWhenItIsRecorded(Adapter):
    """Says who it is as long as nobody listens; else it leaves a key of the old line and goes."""

    def hello(self, request, line):
        answer = super().hello(request, line)
        if b"cmd=monitor" in self.server.command("CLIENT", "LIST"):
            self.server.command("SET", "bull:%s:meta" % "fleet", "x")
            os._exit(3)
        return answer


class DiesWithinItsHello(Adapter):
    def hello(self, request, line):
        sys.stdout.write('{"id":1,"ok":{"run')
        sys.stdout.flush()
        os._exit(3)


class UnsureFromTheStart(Adapter):
    def add(self, request, line):
        raise Refusal("indefinite", "the connection broke")


class DiesAtAdd(Adapter):
    def add(self, request, line):
        os._exit(3)


class UnsureAndUndone(Adapter):
    def complete(self, request, line):
        raise Refusal("indefinite", "the connection broke")


class OnlyTakes(Adapter):
    def complete(self, request, line):
        raise Refusal("not-supported", "jobs are only taken here")


class RefusesRepeats(Adapter):
    """Takes the job, and then refuses it: it stays held."""

    def take(self, request, line):
        answer = super().take(request, line)
        if answer.count('"a":') > 1:
            raise Refusal("not-supported", "no members with one name")
        return answer


class LosesRepeatsThenMore(LosesRepeats):
    """Stores one of several members with one name, and hands out another value."""

    def add(self, request, line):
        return super().add(request, line.replace('"data":{"a":1,"b":2,"a":3}', '"data":{"a":3,"b":2}'))

    def rewritten(self, text):
        return '{"x":9}' if '"b":2' in text else text


class OnlyConsumes(Adapter):
    def hello(self, request, line):
        return super().hello(request, line).replace('"producer", ', "")


class KnowsEverything(Adapter):
    unknown = '"ok":{}'


class FailsAtTheUnknown(Adapter):
    unknown = '"error":{"kind":"definite","message":"what is that?"}'


class OtherWire(Adapter):
    def hello(self, request, line):
        return super().hello(request, line).replace(adapter.VERSION, "echomq:9.9.9")


class FindsAJob(Adapter):
    """Hands out a job when none waits."""

    def take(self, request, line):
        answer = super().take(request, line)
        return '{"job":{"job_id":"7","data":{}}}' if answer == '{"job":null}' else answer


class RefusesBye(Adapter):
    def bye(self, request, line):
        raise Refusal("definite", "not yet")


class TalksAfterBye(Adapter):
    """Logs to standard output, which Python holds back until the end."""

    def bye(self, request, line):
        print("good night")
        return "{}"


class WritesBackwards(Adapter):
    """Calls itself something that changes the direction of text."""

    def hello(self, request, line):
        return super().hello(request, line).replace('"1.0.0"', r'"\u202e1.0"')


class StaysAfterBye(Adapter):
    def bye(self, request, line):
        print('{"id":%d,"ok":{}}' % request["id"], flush=True)
        if "EMQ_TEST_PIDS" in os.environ:
            with open(os.environ["EMQ_TEST_PIDS"], "a") as file:
                file.write("%d\n" % os.getpid())
        time.sleep(600)


class Wire2x(Adapter):
    """The other profile's wire, sound; those below break it."""

    ADD = """redis.call('HSET', KEYS[1], 'state', 'pending', 'attempts', 0, 'payload', ARGV[2])
             return redis.call('ZADD', KEYS[2], 0, ARGV[1])"""
    CLAIM = """if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
               redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
               redis.call('HSET', KEYS[3], 'state', 'active')
               return { redis.call('HGET', KEYS[3], 'payload'), redis.call('HINCRBY', KEYS[3], 'attempts', 1) }"""
    COMPLETE = """redis.call('ZREM', KEYS[1], ARGV[1])
                  return redis.call('DEL', KEYS[2])"""
    added = 0

    def hello(self, request, line):
        return super().hello({**request, "profile": "emq.1"}, line).replace(adapter.VERSION, "echomq:2.4.2")

    def base(self, queue):
        self.server.command("SET", "{emq}:version", "echomq:2.4.2", "NX")
        return "emq:{%s}:" % queue

    def id(self):
        self.added += 1
        return "JOB%05d%06d" % (os.getpid() % 100000, self.added)

    def lease(self):
        return int(time.time() * 1000) + 30000

    def add(self, request, line):
        base, job = self.base(request["queue"]), self.id()
        self.script(self.ADD, [base + "job:" + job, base + "pending"], job, adapter.raw_text(line, "data"))
        return json.dumps({"job_id": job})

    def take(self, request, line):
        base = self.base(request["queue"])
        first = self.server.command("ZRANGE", base + "pending", 0, 0)
        if not first:
            return '{"job":null}'
        job = first[0].decode()
        keys = [base + "pending", base + "active", base + "job:" + job]
        return self.job(job, *self.script(self.CLAIM, keys, job, self.lease()))

    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        self.script(self.COMPLETE, [base + "active", base + "job:" + job], job)
        return "{}"


class StatesItsVersionAtHello(Wire2x):
    def hello(self, request, line):
        answer = super().hello(request, line)
        self.base("any")
        return answer


class SettlesItsVersionAtHello(Wire2x):
    """Sound: offers its version when it connects, and goes no further on another's."""

    version = "echomq:2.4.2"

    def hello(self, request, line):
        answer = super().hello(request, line).replace("echomq:2.4.2", self.version)
        self.server.command("SET", "{emq}:version", self.version, "NX")
        found = self.server.command("GET", "{emq}:version").decode()
        if found != self.version:
            raise Refusal("definite", "the server speaks " + found)
        return answer


class SettlesAnOlderVersionAtHello(SettlesItsVersionAtHello):
    version = "echomq:2.3.0"


class OtherIds(Wire2x):
    def id(self):
        return "7"


class NoLease(Wire2x):
    def lease(self):
        return 0


class KeepsTheRow(Wire2x):
    COMPLETE = "return redis.call('ZREM', KEYS[1], ARGV[1]) + redis.call('EXISTS', KEYS[2])"


class EndsTheRowTwice(Wire2x):
    COMPLETE = Wire2x.COMPLETE.replace("return", "redis.call('DEL', KEYS[2])\n return")


class OtherVersion(Wire2x):
    def base(self, queue):
        self.server.command("SET", "{emq}:version", "echomq:3.0.0")
        return "emq:{%s}:" % queue


def named(fault):
    return {re.sub(r"(?<!^)(?=[A-Z])", "-", known.__name__).lower(): known for known in every(Adapter)}[fault]


def every(kind):
    for known in kind.__subclasses__():
        yield known
        yield from every(known)


def answer(of_template):
    """The template's, but for one that does something else with what it does not know."""

    def given(own, line):
        request = json.loads(line)
        if hasattr(own, "unknown") and request["op"].startswith("x-"):
            return request, '{"id":%d,%s}' % (request["id"], own.unknown)
        return of_template(own, line)

    return given


if __name__ == "__main__":
    adapter.answer = answer(adapter.answer)
    adapter.serve(named(sys.argv[1])())
