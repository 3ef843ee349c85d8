/** The version of this package, as in the names of its files. */
export declare const version: string;

export type FigureName = "conformance" | "fleet" | "v1-flaw" | "script" | "capture";
export type Verdict = "pass" | "fail" | "indeterminate";

/** The names of this version's elements on this page: with a suffix where another version came first. There are none on a server. */
export declare const tags: Partial<Record<FigureName, string>>;

export type AssertionId = "keyspace" | "hashtag" | "legacy" | "declared" | "version";

/** What one step of a walk comes to: an assertion; of the fleet a phase (`add`, `take`, `complete`, `take-again`); of the v1 flaw `anchor-1`, `consequence-1`, `resolution-1` and so on. */
export interface Outcome {
  id: AssertionId | string;
  /** Null where there is nothing to judge, as of an anchor. */
  verdict: Verdict | null;
  summary: string;
}

/** What a figure shows. */
export interface StepDetail {
  /** As in the address of the course's page: `step:2,show:hashtag`. */
  state: string;
  /** How many steps are shown, and of how many. Both 0 where a figure has none. */
  step: number;
  of: number;
  /** Whether the reader walks, rather than looks at all at once. */
  walking: boolean;
  /** What the walk has come to. */
  current: Outcome | null;
  /** All that are shown. */
  shown: Outcome[];
}

export interface ReadyDetail extends StepDetail {
  figure: FigureName;
  version: string;
}

export interface VerdictDetail {
  verdict: Verdict;
  /** Of the conformance figure and the capture bench: each assertion. */
  assertions?: { id: AssertionId; verdict: Verdict }[];
  /** Of the capture bench: the queue that the assertions are about. */
  queue?: string | null;
  /** Of the script bench and the v1 flaw the script's verdict, whatever the policy: `declared`, `derived`, `undeclared`, `unknown`, `invalid`. Of the fleet the pair's: `pass`, `fail`, `not-supported`, `indeterminate`, `not-run`. */
  word?: "declared" | "derived" | "undeclared" | "unknown" | "invalid" | "pass" | "fail" | "not-supported" | "indeterminate" | "not-run";
  /** Of the fleet: who adds, and who takes. */
  producer?: string;
  consumer?: string;
}

export type ErrorCode =
  /** The page's Content-Security-Policy does not allow what the figure needs. */
  | "csp"
  /** A file did not come: no connection, no such file, or its server does not allow this page to read it. */
  | "network"
  /** A file is not the one that was built. */
  | "integrity"
  /** There is no WebAssembly here. */
  | "wasm"
  /** The author's data cannot be shown. */
  | "data"
  /** An attribute says what there is not. */
  | "option"
  /** A fault of this package. */
  | "internal";

/** Why a mounted figure does not become ready. */
export type ReadyCode = ErrorCode
  /** It was destroyed before. */
  | "gone";

export interface ErrorDetail {
  code: ErrorCode;
  message: string;
}

export interface FigureEventMap extends HTMLElementEventMap {
  "emq-ready": CustomEvent<ReadyDetail>;
  "emq-step": CustomEvent<StepDetail>;
  "emq-verdict": CustomEvent<VerdictDetail>;
  "emq-error": CustomEvent<ErrorDetail>;
}

/** A capture as an object, as `emq-capture/1` has it. */
export interface Capture {
  format: string;
  events: readonly unknown[];
  profile?: string | null;
  queue?: string | null;
  engine?: unknown;
  source?: unknown;
  scripts?: unknown;
  reads?: unknown;
  dropped?: unknown;
}

/** A text, bytes (those that are there when it is set), a file, or a capture as an object; anything else is an `emq-error` with the code `option`. */
export type Data = string | ArrayBuffer | SharedArrayBuffer | ArrayBufferView | Blob | Capture;

/** What all elements have. Each attribute is a property of the same name. */
export interface FigureElement extends HTMLElement {
  theme: "light" | "dark" | string | null;
  controls: "all" | "steps" | "none" | string | null;
  loading: "lazy" | "eager" | "click";
  rules: string | null;
  /** What is shown, in the form of `emq-step`. */
  readonly state: string;
  /** Loads the figure now. */
  load(): void;
  step(): Promise<void>;
  back(): Promise<void>;
  assertAll(): Promise<void>;
  reset(): Promise<void>;
  /** The report on what is shown, as the command line writes it (`emq-report/1`, `emq-lint/1`). */
  report(): any;
  addEventListener<K extends keyof FigureEventMap>(type: K, listener: (event: FigureEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof FigureEventMap>(type: K, listener: (event: FigureEventMap[K]) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** What those have that are walked through. */
export interface WalkedElement extends FigureElement {
  /** What is looked at: its name or its number. */
  show: string | null;
  /** The attribute `step`. To set `step` itself, as frameworks do, is the same; it is read as the method. */
  at: string | null;
}

/** What those have that take an author's data. */
export interface DataElement extends FigureElement {
  src: string | null;
  policy: string | null;
  /** Data to show in place of `src` and of what stands in the element. */
  data: Data | null | undefined;
}

export interface ConformanceElement extends WalkedElement, DataElement {
  /** Shipped captures, with a space between: the first is shown. */
  capture: string | null;
  queue: string | null;
  profile: string | null;
  break: string | null;
}

export interface FleetElement extends WalkedElement {
  producer: string | null;
  consumer: string | null;
}

export interface FlawElement extends WalkedElement {
  call: string | null;
  keys: string | null;
  faster: string | null;
}

export interface ScriptElement extends DataElement {
  example: string | null;
}

export interface CaptureElement extends DataElement {
  example: string | null;
  queue: string | null;
  profile: string | null;
}

export interface CommonOptions {
  theme?: "light" | "dark" | null;
  controls?: "all" | "steps" | "none" | null;
  loading?: "lazy" | "eager" | "click" | null;
  rules?: string | null;
  /** What every element may have. */
  id?: string | null;
  class?: string | null;
  lang?: string | null;
  dir?: "ltr" | "rtl" | "auto" | null;
  title?: string | null;
  role?: string | null;
  hidden?: boolean | "" | "until-found" | null;
  style?: string | null;
  tabindex?: number | string | null;
  slot?: string | null;
  part?: string | null;
  [attribute: `data-${string}` | `aria-${string}`]: string | number | boolean | null | undefined;
}

export interface WalkOptions {
  step?: number | string | null;
  show?: number | string | null;
}

export interface DataOptions {
  src?: string | null;
  data?: Data | null;
  policy?: "strict" | "rooted" | "slot-rooted" | null;
}

export interface ConformanceOptions extends CommonOptions, WalkOptions, DataOptions {
  figure?: "conformance";
  capture?: string | null;
  queue?: string | null;
  profile?: "emq.1" | "echomq-2.x" | null;
  break?: string | null;
}

export interface FleetOptions extends CommonOptions, WalkOptions {
  figure: "fleet";
  producer?: string | null;
  consumer?: string | null;
}

export interface FlawOptions extends CommonOptions, WalkOptions {
  figure: "v1-flaw";
  call?: "take-2.lua" | "take-4.lua" | "passed-4.lua" | "claim-4.lua" | null;
  keys?: "no-tag" | "one-tag" | "half-tag" | null;
  faster?: "other" | null;
}

export interface ScriptOptions extends CommonOptions, DataOptions {
  figure: "script";
  example?: string | null;
}

export interface CaptureOptions extends CommonOptions, DataOptions {
  figure: "capture";
  example?: string | null;
  queue?: string | null;
  profile?: "emq.1" | "echomq-2.x" | null;
}

export interface Mounted<E extends FigureElement, O> {
  readonly element: E;
  /** Fulfilled once the figure is ready; rejected with `code` (`ReadyCode`) and `message` where it cannot be, or `destroy()` is called before; who only takes the element out of the page leaves it waiting. A `src` is waited for without limit. */
  readonly ready: Promise<E>;
  /** Changes options; null takes one away. Throws where the figure has none of that name. */
  update(options: Partial<O> & { figure?: never }): void;
  /** Takes the figure away, and puts what stood there back: where the figure is, or into the place where it is nowhere. */
  destroy(): void;
}

/** Puts a figure into an element, in whose document it stays. What stands in it stays until the figure is ready, and where it cannot be. Throws where there is no such figure or option. */
export declare function mount(place: Element, options?: ConformanceOptions): Mounted<ConformanceElement, ConformanceOptions>;
export declare function mount(place: Element, options: FleetOptions): Mounted<FleetElement, FleetOptions>;
export declare function mount(place: Element, options: FlawOptions): Mounted<FlawElement, FlawOptions>;
export declare function mount(place: Element, options: ScriptOptions): Mounted<ScriptElement, ScriptOptions>;
export declare function mount(place: Element, options: CaptureOptions): Mounted<CaptureElement, CaptureOptions>;

declare global {
  interface HTMLElementTagNameMap {
    "emq-conformance": ConformanceElement;
    "emq-fleet": FleetElement;
    "emq-v1-flaw": FlawElement;
    "emq-script": ScriptElement;
    "emq-capture": CaptureElement;
  }
}
