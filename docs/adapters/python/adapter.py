#!/usr/bin/env python3
"""An adapter for `emq-conform fleet` in Python's standard library: JSON lines in, JSON lines out (emq-adapter/1).

A template: put your runtime's own calls where this one runs its scripts. It is not EchoMQ's, and speaks profile emq.1 alone.
"""

import json
import os
import socket
import sys
import time
import urllib.parse
import uuid

VERSION = "echomq:2.0.0"
LEASE_MS = 30_000

# Every key that a script touches is in its KEYS.
ADD = """
redis.call('HSET', KEYS[2], 'payload', ARGV[2], 'attempts', 0)
return redis.call('LPUSH', KEYS[1], ARGV[1])
"""
CLAIM = """
if redis.call('LINDEX', KEYS[1], -1) ~= ARGV[1] then return false end
redis.call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT')
redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
return { redis.call('HGET', KEYS[3], 'payload'), redis.call('HINCRBY', KEYS[3], 'attempts', 1) }
"""
COMPLETE = """
if redis.call('GET', KEYS[4]) ~= ARGV[2] then return redis.error_reply('LOST the lock of ' .. ARGV[1]) end
redis.call('LREM', KEYS[1], 1, ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('HSET', KEYS[3], 'result', ARGV[3])
return redis.call('DEL', KEYS[4])
"""


class Refusal(Exception):
    """What is answered as an error; `kind` is not-supported, definite or indefinite."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Server:
    """As much of a client as this adapter needs: commands out, replies in."""

    def __init__(self, url):
        at = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((at.hostname, at.port or 6379))
        self.replies = self.socket.makefile("rb")
        password = urllib.parse.unquote(at.password or "") or os.environ.get("EMQ_PASSWORD", "")
        if password:
            self.command("AUTH", *filter(None, [urllib.parse.unquote(at.username or ""), password]))

    def command(self, *words):
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        packed = b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        self.socket.sendall(b"*%d\r\n%s" % (len(parts), packed))
        return self.reply()

    def reply(self):
        line = self.replies.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise Refusal("definite", rest.decode(errors="replace"))
        if kind == b"+":
            return rest
        if kind == b":":
            return int(rest)
        if int(rest) < 0:
            return None
        if kind == b"$":
            return self.replies.read(int(rest) + 2)[:-2]
        return [self.reply() for _ in range(int(rest))]


class Adapter:
    """One method for each request; each gives its answer as JSON text."""

    def __init__(self):
        self.server = None
        self.opened = set()
        self.tokens = {}

    def hello(self, request, _line):
        if request["protocol"] != "emq-adapter/1" or request["profile"] != "emq.1":
            raise Refusal("not-supported", "this adapter speaks emq-adapter/1 and profile emq.1")
        self.server = Server(request["url"])
        self.server.command("CLIENT", "SETNAME", request["client_name"])
        return json.dumps({"runtime": "Python adapter template (the probe's own fixture)", "version": "1.0.0",
                           "wire": VERSION, "roles": ["producer", "consumer"]})

    def base(self, queue):
        base = "emq:{%s}:" % queue
        if queue not in self.opened:
            self.server.command("HSETNX", base + "meta", "version", VERSION)
            found = self.server.command("HGET", base + "meta", "version")
            if found != VERSION.encode():
                raise Refusal("definite", "the queue states version %r" % found)
            self.opened.add(queue)
        return base

    def script(self, text, keys, *arguments):
        return self.server.command("EVAL", text, len(keys), *keys, *arguments)

    def add(self, request, line):
        base, job = self.base(request["queue"]), str(uuid.uuid4())
        self.script(ADD, [base + "wait", base + job], job, raw_text(line, "data"))
        return json.dumps({"job_id": job})

    def take(self, request, _line):
        base = self.base(request["queue"])
        while True:
            # The id first, so that the job's keys can be declared; somebody else may take the job in between.
            job = self.server.command("LINDEX", base + "wait", -1)
            if job is None:
                return '{"job":null}'
            job, token = job.decode(), str(uuid.uuid4())
            claimed = self.claim(base, job, token)
            if claimed is not None:
                self.tokens[job] = token
                return self.job(job, *claimed)

    def claim(self, base, job, token):
        keys = [base + "wait", base + "active", base + job, base + job + ":lock"]
        return self.script(CLAIM, keys, job, token, LEASE_MS)

    def job(self, job, payload, attempts):
        if payload is None:
            raise Refusal("definite", "the row of job %s has no payload" % job)
        return '{"job":{"job_id":%s,"name":null,"attempt":%d,"data":%s}}' % (json.dumps(job), attempts, payload.decode())

    def complete(self, request, line):
        base, job = self.base(request["queue"]), request["job_id"]
        if job not in self.tokens:
            raise Refusal("definite", "job %s is not held here" % job)
        keys = [base + "active", base + "completed", base + job, base + job + ":lock"]
        self.script(COMPLETE, keys, job, self.tokens.pop(job), raw_text(line, "result"), int(time.time() * 1000))
        return "{}"

    def bye(self, _request, _line):
        return "{}"


def raw_text(line, field):
    """`data` is the last field of its request: its text stands between its name and the last brace, and is never parsed."""
    name = '"%s":' % field
    return line[line.index(name) + len(name):line.rindex("}")]


def answer(adapter, line):
    request = json.loads(line)
    try:
        operation = {name: getattr(adapter, name) for name in ("hello", "add", "take", "complete", "bye")}.get(request["op"])
        if operation is None:
            raise Refusal("not-supported", "no such request: %s" % request["op"])
        return request, '{"id":%d,"ok":%s}' % (request["id"], operation(request, line))
    except Refusal as refusal:
        kind, message = refusal.kind, str(refusal)
    except OSError as error:
        # Nobody knows what the server did.
        kind, message = "indefinite", str(error)
    return request, json.dumps({"id": request["id"], "error": {"kind": kind, "message": message}})


def serve(adapter):
    # Lines end with a line feed and nothing else, whatever Python takes for one.
    for line in iter(sys.stdin.buffer.readline, b""):
        request, text = answer(adapter, line.decode())
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()
        if request["op"] == "bye":
            return


if __name__ == "__main__":
    serve(Adapter())
