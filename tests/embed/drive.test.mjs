// What an author's page asks of a figure, and what it hears.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, hears, useBrowser, withPage } from "./support/browser.mjs";
import { folder, read, stem } from "./support/server.mjs";

useBrowser();

const EAGER = '<emq-conformance loading="eager"></emq-conformance>';

test("methods step, take back, show all and begin again, and the page does not move", () =>
  withPage(`${EAGER}<div style="height: 3000px"></div>`, async (page) => {
    await hears(page, "emq-ready");
    await page.evaluate(() => scrollTo(0, 2500));
    const after = async (method) => {
      await page.evaluate((method) => document.querySelector("emq-conformance")[method](), method);
      const steps = await heard(page, "emq-step");
      const { state, step } = steps.at(-1);
      return [state, step, await page.evaluate(() => scrollY)];
    };
    assert.deepEqual(await after("step"), ["step:1,show:keyspace", 1, 2500]);
    assert.deepEqual(await after("step"), ["step:2,show:hashtag", 2, 2500]);
    assert.deepEqual(await after("back"), ["step:1,show:keyspace", 1, 2500]);
    assert.deepEqual(await after("assertAll"), ["", 5, 2500]);
    assert.deepEqual(await after("reset"), ["step:0", 0, 2500]);
  }));

test("of the fleet and the v1 flaw likewise", async () => {
  for (const [kind, of] of [["fleet", 4], ["v1-flaw", 12]]) {
    await withPage(`<emq-${kind} loading="eager"></emq-${kind}><div style="height: 3000px"></div>`, async (page) => {
      await hears(page, "emq-ready");
      await page.evaluate(() => scrollTo(0, 2500));
      const after = async (method) => {
        await page.evaluate(([kind, method]) => document.querySelector(`emq-${kind}`)[method](), [kind, method]);
        const { state, step } = (await heard(page, "emq-step")).at(-1);
        return [state, step, await page.evaluate(() => scrollY)];
      };
      assert.deepEqual(await after("reset"), ["step:0", 0, 2500]);
      assert.deepEqual(await after("step"), ["step:1,show:1", 1, 2500]);
      const [, second] = [await after("step"), await after("step")];
      assert.deepEqual(second, [kind === "fleet" ? "step:3,show:3" : "step:3,show:1", 3, 2500]);
      assert.equal((await after("back"))[1], 2);
      assert.deepEqual(await after("assertAll"), ["", of, 2500]);
      await page.evaluate((kind) => Object.assign(document.querySelector(`emq-${kind}`), { at: 2, show: 1 }), kind);
      await page.waitForFunction((kind) => document.querySelector(`emq-${kind}`).state === "step:2,show:1", kind);
    });
  }
});

test("what a reader or an author scrolls meanwhile stays", async () => {
  for (const kind of ["conformance", "fleet", "v1-flaw"]) {
    await withPage(`<emq-${kind} loading="eager"></emq-${kind}><div style="height: 9000px"></div>`, async (page) => {
      await hears(page, "emq-ready");
      const said = await page.evaluate(async (kind) => {
        const figure = document.querySelector(`emq-${kind}`);
        const said = [];
        for (const method of ["step", "back", "assertAll", "reset"]) {
          scrollTo(0, 0);
          const does = figure[method]();
          scrollBy(0, 500);
          await does;
          said.push(`${method} ${scrollY}`);
        }
        return said;
      }, kind);
      assert.deepEqual(said, ["step 500", "back 500", "assertAll 500", "reset 500"], kind);
      // What changes above what is on the screen a browser makes up for by itself.
    }, { head: "<style>html { overflow-anchor: none }</style>" });
  }
});

test("the capture bench shows a file under its name, by the profile, the policy and the queue that are asked for", () =>
  withPage(
    `<emq-capture id="src" loading="eager" src="fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log" policy="slot-rooted"></emq-capture>
     <emq-capture id="profile" loading="eager" profile="emq.1" src="fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log"></emq-capture>
     <emq-capture id="queue" loading="eager" queue="b"><pre>1.000001 [0 a:1] "HSET" "emq:{a}:meta" "version" "echomq:2.0.0"\n1.000002 [0 b:1] "HSET" "emq:{b}:meta" "version" "echomq:2.0.0"\n</pre></emq-capture>
     <emq-capture id="none" loading="eager" queue="c"><pre>1.000001 [0 a:1] "HSET" "emq:{a}:meta" "version" "echomq:2.0.0"\n</pre></emq-capture>
     <emq-capture id="damaged" loading="eager"><pre>no log\n</pre></emq-capture>
     <emq-capture id="data"></emq-capture>`,
    async (page) => {
      await page.evaluate(() => {
        const element = document.querySelector("#data");
        element.data = new TextEncoder().encode('{"format":"emq-capture/1","queue":"q","source":{"kind":"fixture"},"events":[{"seq":1,"origin":"client","argv":["SET","emq:q:wait","1"]}]}');
        element.load();
      });
      await hears(page, "emq-ready", 4);
      const said = await page.evaluate(() =>
        ["src", "profile", "queue", "data"].map((id) => {
          const { policy, profile, subject, verdict } = document.querySelector(`#${id}`).report();
          return [id, policy, profile, subject.source, subject.queue, verdict].join(" ");
        }),
      );
      assert.deepEqual(said, [
        "src slot-rooted echomq-2.x echomq-2.4.2-roundtrip.monitor.log payments pass",
        "profile strict emq.1 echomq-2.4.2-roundtrip.monitor.log payments fail",
        "queue strict emq.1 pasted.log b indeterminate",
        "data strict emq.1 pasted.json q fail",
      ]);
      const errors = Object.fromEntries((await hears(page, "emq-error", 2)).map(({ id, code, message }) => [id, `${code}: ${message}`]));
      assert.equal(errors.none, "option: pasted.log shows no queue c: it shows a");
      assert.match(errors.damaged, /^data: cannot read pasted\.log: neither a capture/);
      // The queue stays the one that is asked for, by whatever policy; and is another where another is asked for.
      await page.evaluate(() => (document.querySelector("#queue").policy = "rooted"));
      await page.waitForFunction(() => {
        const report = document.querySelector("#queue").report();
        return report?.policy === "rooted" && report.subject.queue === "b";
      });
      await page.evaluate(() => (document.querySelector("#queue").queue = "a"));
      await page.waitForFunction(() => document.querySelector("#queue").report()?.subject.queue === "a");
    },
  ));

test("of however many queues the capture bench finds the one that is asked for, or says that there is none", () =>
  withPage(
    ["q149", "old", "q150"].map((queue) => `<emq-capture id="${queue}" loading="eager" queue="${queue}" src="many.log"></emq-capture>`).join(""),
    async (page) => {
      await hears(page, "emq-ready", 2);
      const subjects = await page.evaluate(() => ["q149", "old"].map((id) => document.querySelector(`#${id}`).report().subject.queue));
      assert.deepEqual(subjects, ["q149", "old"]);
      const [{ id, code, message }] = await hears(page, "emq-error");
      assert.deepEqual([id, code], ["q150", "option"]);
      assert.match(message, /^many\.log shows no queue q150: it shows q0, q1, (q\d+, ){9}q\d+ and others$/);
      // The others are still there to choose from.
      assert.ok((await page.locator("#q149").locator("select[name=queue] option").count()) > 100);
    },
    { pages: { "/many.log": MANY } },
  ));

/** More queues than are listed, and one of the old keyspace. */
const MANY = [...Array(150).keys()].map((n) => `emq:{q${n}}:wait`).concat("bull:old:wait").map((key) => `1.000001 [0 a:1] "GET" "${key}"\n`).join("");

test("attributes are properties, and what changes is drawn", () =>
  withPage('<emq-conformance loading="eager" step="3" break="undeclared"></emq-conformance>', async (page) => {
    const [ready] = await hears(page, "emq-ready");
    assert.match(ready.state, /^break:undeclared,step:3/);
    assert.equal(ready.step, 3);
    const status = page.locator("emq-conformance").locator("[role=status]");
    assert.match(await status.textContent(), /^3 of 5 · changed: /);
    await page.evaluate(() => Object.assign(document.querySelector("emq-conformance"), { at: 4, break: "legacy-read" }));
    await hears(page, "emq-step", 1);
    assert.match((await heard(page, "emq-step")).at(-1).state, /^break:legacy-read,step:4/);
    const fails = (await heard(page, "emq-verdict")).map(({ assertions }) => assertions.filter(({ verdict }) => verdict === "fail").map(({ id }) => id));
    assert.equal(fails.length, 2);
    assert.ok(fails[0].includes("declared") && !fails[0].includes("legacy") && fails[1].includes("legacy"), JSON.stringify(fails));
    const attributes = await page.evaluate(() => ["step", "break"].map((name) => document.querySelector("emq-conformance").getAttribute(name)));
    assert.deepEqual(attributes, ["4", "legacy-read"]);
    // Another capture is another figure.
    await page.evaluate(() => Object.assign(document.querySelector("emq-conformance"), { at: null, break: null, capture: "bullmq-bull payments", policy: "rooted" }));
    await hears(page, "emq-ready", 2);
    const report = await page.evaluate(() => document.querySelector("emq-conformance").report());
    assert.deepEqual([report.format, report.subject.queue, report.policy, report.verdict], ["emq-report/1", "payments", "rooted", "fail"]);
    assert.deepEqual(await page.locator("emq-conformance").locator("select[name=capture] option").allTextContents(), ["BullMQ 5.65.1, prefix bull", "payments, fixed"]);
    assert.equal(await page.locator("emq-conformance").locator(".emq-figure").count(), 1);
  }));

test("every attribute is a property of the same name, but for step, which is at", () =>
  withPage("", async (page) => {
    const odd = await page.evaluate(() => {
      const odd = [];
      for (const kind of ["conformance", "fleet", "v1-flaw", "script", "capture"]) {
        const element = document.createElement(`emq-${kind}`);
        for (const name of element.constructor.observedAttributes) {
          const property = name === "step" ? "at" : name;
          // What there is, so that it is read as it is written.
          const value = name === "loading" ? "click" : "1";
          const absent = name === "loading" ? "lazy" : null;
          const is = (attribute, read, when) => (element.getAttribute(name) === attribute && element[property] === read) || odd.push(`${kind} ${name} ${when}`);
          is(null, absent, "at first");
          element[property] = value;
          is(value, value, "set");
          element[property] = null;
          is(null, absent, "taken away");
          element.setAttribute(name, value);
          is(value, value, "written");
          element[property] = undefined;
          is(null, absent, "undefined");
        }
        // As frameworks set it.
        if (!("at" in element)) continue;
        element.step = 3;
        if (element.getAttribute("step") !== "3" || typeof element.step !== "function") odd.push(`${kind} step`);
      }
      return odd;
    });
    assert.deepEqual(odd, []);
  }));

test("an author's own data comes from an address, from the element, or from a script", () =>
  withPage(
    `<emq-conformance id="src" loading="eager" src="fixtures/recordings/bullmq-5.65.1-emq.capture.json" queue="payments"></emq-conformance>
     <emq-conformance id="json" loading="eager"><script type="application/json">{"format":"emq-capture/1","queue":"q","source":{"kind":"fixture"},"events":[{"seq":1,"origin":"client","argv":["SET","emq:q:wait","1"]}]}</script></emq-conformance>
     <emq-conformance id="pre" loading="eager"><pre>1.000001 [0 a:1] "HSET" "emq:{q}:meta" "version" "echomq:2.0.0"\n</pre></emq-conformance>
     <emq-conformance id="data"></emq-conformance>`,
    async (page) => {
      await page.evaluate(() => {
        const element = document.querySelector("#data");
        element.data = { format: "emq-capture/1", queue: "other", source: { kind: "fixture" }, events: [{ seq: 1, origin: "client", argv: ["GET", "bull:other:wait"] }] };
        element.load();
      });
      await hears(page, "emq-ready", 4);
      const said = await page.evaluate(() =>
        [...document.querySelectorAll("emq-conformance")].map((element) => {
          const { subject, verdict, assertions } = element.report();
          return [element.id, subject.queue, verdict, assertions.filter(({ verdict }) => verdict === "fail").map(({ id }) => id).join(" ")];
        }),
      );
      assert.deepEqual(said, [
        ["src", "payments", "fail", "keyspace hashtag legacy declared version"],
        ["json", "q", "fail", "keyspace hashtag legacy"],
        ["pre", "q", "indeterminate", ""],
        ["data", "other", "fail", "keyspace hashtag legacy"],
      ]);
      assert.equal(await page.evaluate(() => window.instances), 2, "the figures, and what reads captures");
      // What is written into the element later is shown too.
      await page.evaluate(() => (document.querySelector("#pre pre").textContent = '1.000001 [0 a:1] "HSET" "emq:{later}:meta" "version" "echomq:2.0.0"\n'));
      const ready = await hears(page, "emq-ready", 5);
      assert.equal(ready.at(-1).id, "pre");
      assert.equal(await page.evaluate(() => document.querySelector("#pre").report().subject.queue), "later");
    },
  ));

test("data that cannot be shown is an event with its place, and the author's text stays", () =>
  withPage(
    `<emq-conformance id="log" loading="eager"><pre>1.000001 [0 a:1] "GET" "k"\nno\n</pre></emq-conformance>
     <emq-conformance id="missing" loading="eager" src="missing.json"></emq-conformance>
     <emq-conformance id="name" loading="eager" capture="nobody"></emq-conformance>
     <emq-conformance id="policy" loading="eager" policy="lax"></emq-conformance>
     <emq-conformance id="step" loading="eager" step="9"></emq-conformance>
     <emq-conformance id="address" loading="eager" src="http://["></emq-conformance>
     <emq-script id="example" loading="eager" example="nobody.lua"></emq-script>
     <emq-capture id="capture" loading="eager" example="nobody.log"></emq-capture>
     <emq-fleet id="fleet" loading="eager" consumer="nobody"></emq-fleet>
     <emq-v1-flaw id="run" loading="eager" src="run.json"></emq-v1-flaw>
     <emq-v1-flaw id="call" loading="eager" call="nobody.lua"></emq-v1-flaw>`,
    async (page) => {
      const errors = Object.fromEntries((await hears(page, "emq-error", 11)).map(({ id, code, message }) => [id, `${code}: ${message}`]));
      assert.equal(Object.keys(errors).length, 11, `of each one: ${JSON.stringify(await heard(page, "emq-error"))}`);
      assert.match(errors.log, /^data: inline: line 2: /);
      assert.equal(errors.missing, "network: missing.json: the server answered 404");
      assert.match(errors.name, /^option: there is no capture nobody: there are payments, /);
      assert.equal(errors.policy, "option: there is no policy lax: there are strict, rooted, slot-rooted");
      assert.equal(errors.address, "option: src is no address: http://[");
      assert.equal(errors.step, "option: there is no step 9: there are 0, 1, 2, 3, 4, 5");
      assert.match(errors.example, /^option: there is no example nobody\.lua: there are v1-style\.lua, /);
      assert.match(errors.capture, /^option: there is no example nobody\.log: there are payments\.json, /);
      assert.match(errors.fleet, /^option: there is no consumer nobody: there are reference, /);
      assert.equal(errors.run, "option: this figure takes no data: it shows what was recorded");
      assert.equal(errors.call, "option: there is no call nobody.lua: there are take-2.lua, take-4.lua, passed-4.lua, claim-4.lua");
      assert.equal(await page.locator("#log pre").isVisible(), true);
      // Where nothing stands, the element says it.
      assert.match(await page.locator("#missing").locator(".emq-say").textContent(), /cannot be shown: missing\.json/);
      // And goes on once it is mended.
      await page.evaluate(() => {
        document.querySelector("#name").capture = "payments";
        document.querySelector("#missing").src = "fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log";
        document.querySelector("#address").data = '1.000001 [0 a:1] "GET" "k"\n';
        document.querySelector("#log pre").textContent = '1.000001 [0 a:1] "GET" "k"\n';
      });
      for (const mended of ["name", "missing", "address", "log"]) {
        await page.waitForFunction((mended) => window.heard.some(({ name, id }) => name === "emq-ready" && id === mended), mended);
      }
    },
    { expected: /404/ },
  ));

test("a value that there is not is said with those that there are, of every attribute that has choices", async () => {
  const BREAKS = "outside, second-tag, legacy-read, undeclared, wrong-version, empty";
  const [POLICIES, PROFILES] = ["strict, rooted, slot-rooted", "emq.1, echomq-2.x"];
  const common = { theme: "light, dark", controls: "all, steps, none", loading: "lazy, eager, click" };
  const choices = {
    conformance: { policy: POLICIES, profile: PROFILES, break: BREAKS, step: "0, 1, 2, 3, 4, 5", show: "keyspace, hashtag, legacy, declared, version, event-1 and so on", ...common },
    fleet: { producer: /^reference, /, consumer: /^reference, /, step: "0, 1, 2, 3, 4", show: "1, 2, 3, 4", ...common },
    "v1-flaw": { call: "take-2.lua, take-4.lua, passed-4.lua, claim-4.lua", keys: "no-tag, one-tag, half-tag", faster: "other", step: "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", show: "1, 2, 3, 4", ...common },
    script: { policy: POLICIES, example: /^v1-style\.lua, /, ...common },
    capture: { policy: POLICIES, profile: PROFILES, example: /^payments\.json, /, ...common },
  };
  const rows = Object.entries(choices).flatMap(([kind, of]) => Object.entries(of).map(([name, known]) => ({ kind, name, known, id: `${kind}-${name}` })));
  const body = rows.map(({ kind, name, id }) => `<emq-${kind} id="${id}" loading="eager" ${name}="strange"></emq-${kind}>`);
  // What is said twice counts as the first.
  await withPage(body.map((element) => element.replace('loading="eager" loading="strange"', 'loading="strange"')).join(""), async (page) => {
    await page.evaluate(() => document.querySelectorAll('[loading="strange"]').forEach((element) => element.load()));
    const errors = Object.fromEntries((await hears(page, "emq-error", rows.length)).map(({ id, code, message }) => [id, `${code}: ${message}`]));
    for (const { id, name, known } of rows) {
      const [, said, listed] = /^(option: there is no [\w-]+ strange: there are )(.*)$/.exec(errors[id]) ?? assert.fail(`${id}: ${errors[id]}`);
      assert.equal(said, `option: there is no ${name} strange: there are `);
      if (known instanceof RegExp) assert.match(listed, known);
      else assert.equal(listed, known);
    }
    // Of a figure that stands, too; and several at once.
    await page.evaluate(() => {
      window.heard.length = 0;
      Object.assign(document.querySelector("#fleet-theme"), { theme: "purple", at: 9, show: 8 });
    });
    const later = (await hears(page, "emq-error", 2)).map(({ message }) => message);
    assert.deepEqual(later, ["there is no theme purple: there are light, dark", "there is no step 9: there are 0, 1, 2, 3, 4; there is no show 8: there are 1, 2, 3, 4"]);
    // A line that there is not.
    await page.evaluate(() => ((window.heard.length = 0), (document.querySelector("#conformance-theme").show = "event-9999")));
    assert.equal((await hears(page, "emq-error"))[0].message, 'this figure does not have what is asked for by show="event-9999"');
  });
});

test("what is changed while a figure loads is drawn when it comes", async () => {
  let pass;
  const held = new Promise((passed) => (pass = passed));
  await withPage(
    '<emq-script loading="click"></emq-script><emq-conformance loading="click"></emq-conformance><emq-v1-flaw loading="click" step="1"></emq-v1-flaw>',
    async (page) => {
      await page.route(/\.wasm$/, async (route) => (await held, route.continue()));
      const asked = page.waitForRequest(/\.wasm$/);
      await page.evaluate(() => document.querySelectorAll("body > *").forEach((element) => element.load()));
      // Each was made by what it said then, as far as that goes without its wasm.
      await asked;
      await page.evaluate(() => {
        document.querySelector("emq-script").policy = "rooted";
        document.querySelector("emq-conformance").at = "2";
        document.querySelector("emq-v1-flaw").at = "3";
      });
      pass();
      await hears(page, "emq-ready", 3);
      const says = (figure) => page.evaluate((figure) => document.querySelector(figure).state, figure);
      assert.deepEqual([await says("emq-script"), await says("emq-conformance"), await says("emq-v1-flaw")], ["policy:rooted", "step:2", "step:3"]);
      assert.equal(await page.evaluate(() => document.querySelector("emq-script").report().policy), "rooted");
    },
  );
  // And while the worker of a bench that is made already is on its way.
  await withPage('<emq-script loading="click"></emq-script>', async (page) => {
    let made, goOn;
    const [isMade, goesOn] = [new Promise((passed) => (made = passed)), new Promise((passed) => (goOn = passed))];
    await page.route(/-analyzer\.wasm$/, async (route) => (made(), await goesOn, route.continue()));
    await page.evaluate(() => document.querySelector("emq-script").load());
    await isMade;
    await page.evaluate(() => document.querySelector("emq-script").setAttribute("policy", "slot-rooted"));
    goOn();
    const [{ state }] = await hears(page, "emq-ready");
    assert.equal(state, "policy:slot-rooted");
  });
});

test("properties that were set before the element was defined count", () =>
  withPage(
    `<emq-conformance id="early"></emq-conformance>
     <script>Object.assign(document.querySelector("#early"), { data: '1.000001 [0 a:1] "HSET" "emq:{early}:meta" "version" "echomq:2.0.0"\\n', policy: "rooted", loading: "eager" })</script>`,
    async (page) => {
      await hears(page, "emq-ready");
      const said = await page.evaluate(() => {
        const element = document.querySelector("#early");
        return [element.report().subject.queue, element.getAttribute("policy"), Object.keys(element)];
      });
      assert.deepEqual(said, ["early", "rooted", []]);
    },
  ));

test("and those that can only be read are as the element has them", () =>
  withPage(
    `<emq-conformance id="early" loading="eager"></emq-conformance>
     <script>Object.assign(document.querySelector("#early"), { state: "step:1", policy: "rooted" })</script>`,
    async (page) => {
      await hears(page, "emq-ready");
      const said = await page.evaluate(() => {
        const element = document.querySelector("#early");
        return [element.state, element.report().policy, Object.keys(element)];
      });
      assert.deepEqual(said, ["", "rooted", []]);
    },
  ));

test("a script as long as it may be is shown, and one byte more is refused", () =>
  withPage('<emq-script id="at"></emq-script><emq-script id="past"></emq-script>', async (page) => {
    await page.evaluate(() => {
      for (const [id, more] of [["at", 0], ["past", 1]]) {
        const element = document.querySelector(`#${id}`);
        element.data = `return 1 --${"x".repeat((1 << 20) - 11 + more)}`;
        element.load();
      }
    });
    assert.equal((await hears(page, "emq-ready"))[0].id, "at");
    const [{ id, code, message }] = await hears(page, "emq-error");
    assert.deepEqual([id, code, message], ["past", "data", "data has 1048577 bytes, and this figure takes 1048576"]);
  }));

test("keys that a figure answers, and what is typed in it, are not the page's", () =>
  withPage('<emq-conformance loading="eager"></emq-conformance><emq-script loading="eager"></emq-script>', async (page) => {
    await hears(page, "emq-ready", 2);
    await page.evaluate(() => {
      window.keys = [];
      for (const kind of ["keydown", "keypress"]) document.addEventListener(kind, ({ key }) => window.keys.push(key));
    });
    await page.locator("emq-conformance .emq-figure").focus();
    for (const key of ["ArrowRight", "a", "x"]) await page.keyboard.press(key);
    await page.locator("emq-script textarea").focus();
    for (const key of ["ArrowRight", "s"]) await page.keyboard.press(key);
    assert.deepEqual(await page.evaluate(() => window.keys), ["x", "x"], "what no figure answers is the page's");
  }));

test("a figure waits until the reader comes near, or asks for it", () =>
  withPage(
    `<emq-conformance id="click" loading="click" capture="payments"><pre>stays</pre></emq-conformance><div style="height: 9000px"></div><emq-conformance id="lazy" capture="payments"><pre>stays</pre></emq-conformance>`,
    async (page, { requests }) => {
      await page.waitForTimeout(300);
      assert.deepEqual(requests.filter((url) => /\.wasm$/.test(url)), []);
      await page.locator("#click").getByRole("button", { name: "Show the figure" }).click();
      assert.equal((await hears(page, "emq-ready"))[0].id, "click");
      assert.equal(await page.locator("#lazy pre").isVisible(), true);
      await page.locator("#lazy").scrollIntoViewIfNeeded();
      assert.equal((await hears(page, "emq-ready", 2))[1].id, "lazy");
    },
  ));

test("mount puts a figure into an element, and takes it away", () =>
  withPage("<div id=place><p>stays</p></div>", async (page, { module }) => {
    const said = await page.evaluate(async (module) => {
      const { mount, tags, version } = await import(module);
      const mounted = mount(document.querySelector("#place"), { figure: "conformance", capture: "payments", loading: "eager", step: 2 });
      const element = await mounted.ready;
      const { state } = element;
      mounted.update({ step: 3 });
      await new Promise((passed) => element.addEventListener("emq-step", passed, { once: true }));
      const then = element.state;
      mounted.destroy();
      const failed = await mount(document.querySelector("#place"), { capture: "nobody", loading: "eager" }).ready.catch(({ code }) => code);
      let refused;
      try {
        mount(document.body, { figure: "nobody" });
      } catch ({ message }) {
        refused = message;
      }
      return { state, then, tags, version, failed, refused, left: document.querySelector("#place > p")?.textContent };
    }, module);
    assert.deepEqual(said, {
      state: "step:2",
      then: "step:3",
      tags: { conformance: "emq-conformance", fleet: "emq-fleet", "v1-flaw": "emq-v1-flaw", script: "emq-script", capture: "emq-capture" },
      version: "0.1.0",
      failed: "option",
      refused: "there is no figure nobody: there are conformance, fleet, v1-flaw, script, capture",
      left: undefined,
    });
  }));

test("what stood in a place stands there again, wherever the figure is by then", () =>
  withPage("<div id=place><p>stays</p></div><div id=other></div>", async (page, { module }) => {
    const said = await page.evaluate(async (module) => {
      const { mount } = await import(module);
      const place = document.querySelector("#place");
      const other = document.querySelector("#other");
      const ways = {
        there: () => {},
        removed: (element) => element.remove(),
        emptied: () => place.replaceChildren(),
        moved: (element) => other.append(element),
        "place removed": () => place.remove(),
      };
      return Object.entries(ways).map(([way, does]) => {
        const { element, destroy } = mount(place, { loading: "click" });
        does(element);
        destroy();
        // Once is enough.
        destroy();
        const said = `${way}: ${place.innerHTML}|${other.innerHTML}`;
        document.body.append(place);
        place.append(...other.childNodes);
        return said;
      });
    }, module);
    const STAYS = "<p>stays</p>";
    assert.deepEqual(said, [`there: ${STAYS}|`, `removed: ${STAYS}|`, `emptied: ${STAYS}|`, `moved: |${STAYS}`, `place removed: ${STAYS}|`]);
  }));

test("mount refuses an option that its figure does not have, and takes what every element may have", () =>
  withPage("<div id=place></div>", async (page, { module }) => {
    const said = await page.evaluate(async (module) => {
      const { mount } = await import(module);
      const place = document.querySelector("#place");
      const refused = (options) => {
        try {
          mount(place, options);
        } catch ({ name, message }) {
          return `${name}: ${message}`;
        }
      };
      const every = { id: "its", class: "wide", lang: "de", dir: "rtl", title: "A fleet", role: "figure", hidden: true, style: "--emq-size: 19px", tabindex: 0, slot: "its", part: "its", "data-x": 1, "aria-label": "The fleet", "aria-hidden": false };
      const { element, update } = mount(place, { figure: "fleet", ...every, loading: "click" });
      let updated;
      try {
        update({ steps: 1 });
      } catch ({ message }) {
        updated = message;
      }
      const all = () => Object.keys(every).map((name) => element.getAttribute(name));
      const taken = all();
      update({ hidden: false, style: null });
      const then = all().filter((value) => value === null).length;
      // What an element or its class has is no option for that, nor what looks like an attribute.
      const none = ["at", "onclick", "state", "some-thing", ""].filter((name) => !/^TypeError: this figure has no option/.test(refused({ [name]: "1" })));
      for (const figure of ["constructor", "toString", "__proto__", ""]) if (!/^TypeError: there is no figure/.test(refused({ figure }))) none.push(figure);
      return [then, refused({ className: "wide" }), refused({ polcy: "strict" }), refused({ figure: "fleet", policy: "strict" }), refused({ figure: "fleet", data: "x" })?.split(":")[1], updated, none, taken, place.children.length];
    }, module);
    assert.deepEqual(said, [
      2,
      "TypeError: this figure has no option className, which is written class",
      "TypeError: this figure has no option polcy: it has data, loading, theme, controls, rules, src, capture, queue, profile, policy, break, step, show",
      "TypeError: this figure has no option policy: it has loading, theme, controls, rules, producer, consumer, step, show",
      " this figure has no option data",
      "this figure has no option steps: it has loading, theme, controls, rules, producer, consumer, step, show",
      [],
      ["its", "wide", "de", "rtl", "A fleet", "figure", "", "--emq-size: 19px;", "0", "its", "its", "1", "The fleet", "false"],
      1,
    ]);
  }));

test("a mounted figure that is destroyed before it is ready says so to who waits for it", () => {
  const endless = () => {};
  return withPage(
    "<div id=place></div>",
    async (page, { module }) => {
      const said = await page.evaluate(async (module) => {
        const { mount } = await import(module);
        const { ready, destroy } = mount(document.querySelector("#place"), { src: "endless.log", loading: "eager" });
        destroy();
        return ready.catch(({ code, message }) => `${code}: ${message}`);
      }, module);
      assert.equal(said, "gone: the figure was taken away before it was ready");
    },
    { pages: { "/endless.log": endless } },
  );
});

test("what figures inside a mounted one come to is not what it comes to", () =>
  withPage(
    '<div id="a"><emq-conformance loading="click" capture="nobody"></emq-conformance></div><div id="b"><emq-conformance loading="click"></emq-conformance></div>',
    async (page, { module }) => {
      const said = await page.evaluate(async (module) => {
        const { mount } = await import(module);
        const settles = async (id, options, comes) => {
          const place = document.querySelector(id);
          const [inner] = place.children;
          const { element, ready } = mount(place, { loading: "click", ...options });
          const said = ready.then(({ localName }) => localName, ({ code }) => code);
          // The inner one has come to what it comes to, and all that heard of it had their turn.
          const settled = new Promise((passed) => inner.addEventListener(comes, () => setTimeout(passed, 0, "still waits"), { once: true }));
          inner.load();
          const first = await Promise.race([said, settled]);
          element.load();
          return [first, await said];
        };
        return [await settles("#a", { figure: "fleet" }, "emq-error"), await settles("#b", { capture: "nobody" }, "emq-ready")];
      }, module);
      assert.deepEqual(said, [["still waits", "emq-fleet"], ["still waits", "option"]]);
    },
  ));

test("another version on the page has elements of its own beside those of the first", () =>
  withPage(
    '<emq-conformance loading="eager"></emq-conformance>',
    async (page, { module, package: origin }) => {
      await hears(page, "emq-ready");
      const tags = await page.evaluate(async (url) => (await import(url)).tags, `${origin}other.js`);
      assert.deepEqual(Object.values(tags), ["conformance", "fleet", "v1-flaw", "script", "capture"].map((kind) => `emq-${kind}-v9-9-9`));
      const again = await page.evaluate(async (url) => (await import(url)).tags, `${module}?again`);
      assert.deepEqual(Object.values(again), ["emq-conformance", "emq-fleet", "emq-v1-flaw", "emq-script", "emq-capture"]);
      await page.evaluate(async (url) => {
        const { mount } = await import(url);
        await mount(document.body, { loading: "eager" }).ready;
      }, `${origin}other.js`);
      const ready = await heard(page, "emq-ready");
      assert.deepEqual(ready.map(({ tag, version }) => [tag, version]), [["emq-conformance", "0.1.0"], ["emq-conformance-v9-9-9", "9.9.9"]]);
    },
    { instead: { "other.js": other() } },
  ));

/** The module as another version would be: its files are the same. */
function other() {
  const text = read(folder, `${stem()}.js`).toString();
  assert.equal(text.split('"0.1.0"').length, 2, "the version stands in one place");
  return { body: text.replace('"0.1.0"', '"9.9.9"') };
}
