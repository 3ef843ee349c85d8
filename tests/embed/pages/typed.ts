// What an author writes in TypeScript; `tsc` reads it with the package's types (tests/embed/package.test.mjs).
import { mount, tags, version, type FigureEventMap } from "echomq-conformance-figures";

const place = document.querySelector("main")!;
const { element, ready, update, destroy } = mount(place, { figure: "script", data: "return 1", policy: "rooted", id: "its", "data-x": 1 });
update({ data: null, policy: null });
ready.then((figure) => figure.report().verdict);

const listener = ({ detail }: FigureEventMap["emq-verdict"]) => console.log(detail.verdict, version, tags.script);
element.addEventListener("emq-verdict", listener, { once: true });
element.removeEventListener("emq-verdict", listener);
// What every element has is as it was.
element.addEventListener("click", (event) => console.log(event.clientX));

const walked = document.createElement("emq-conformance");
walked.at = "2";
walked.step().then(() => destroy());

// A capture of one's own, however it is typed; and what JSON does not have.
interface Recorded { format: string; queue: string; source: { kind: "monitor" }; events: { seq: number; argv: string[] }[] }
declare const recorded: Recorded;
mount(place, { data: recorded, style: "color: red", hidden: true, title: "ours", dir: "rtl", tabindex: 0 });
walked.data = { format: "emq-capture/1", queue: "q", source: { kind: "fixture" }, events: [] };
walked.data = new SharedArrayBuffer(1);
// There are no elements on a server.
const named: string | undefined = tags.fleet;
if (named) document.createElement(named);
// @ts-expect-error
document.createElement(tags.fleet);
// @ts-expect-error
walked.data = new Map();
// @ts-expect-error
walked.data = new Date();
// @ts-expect-error
walked.data = () => recorded;
// @ts-expect-error
walked.data = Promise.resolve("");
// @ts-expect-error there is no such figure
mount(place, { figure: "other" });
update({ policy: "strict", "data-x": null });
mount(place, { figure: "capture", data: new Blob(["GET"]) }).update({ data: new DataView(new ArrayBuffer(1)) });
// @ts-expect-error a figure does not become another
update({ figure: "script" });
// @ts-expect-error there is no such policy
update({ policy: "lax" });
