import "echomq-conformance-figures";
import { useLayoutEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

function Probe({ step }) {
  const figure = useRef(null);
  const [said, setSaid] = useState("nothing yet");
  // In time for what the figure says first.
  useLayoutEffect(() => {
    const element = figure.current;
    const hear = ({ detail }) => setSaid(detail.current?.summary ?? "all of it");
    for (const name of ["emq-ready", "emq-step"]) element.addEventListener(name, hear);
    return () => ["emq-ready", "emq-step"].forEach((name) => element.removeEventListener(name, hear));
  }, []);
  return (
    <>
      <p aria-live="polite">
        The figure shows: <b id="said">{said}</b>
      </p>
      <emq-conformance ref={figure} capture="payments" step={step} controls="none">
        <pre>the five assertions over a recorded run</pre>
      </emq-conformance>
    </>
  );
}

function Page() {
  const [step, setStep] = useState(1);
  return (
    <main>
      <h1>Figures in React</h1>
      <button id="next" onClick={() => setStep(Math.min(step + 1, 5))}>
        Next
      </button>
      <Probe step={step} />
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<Page />);
