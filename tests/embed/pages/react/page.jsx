// A page as somebody writes it who knows React, and of the figures what their guide says.
import { mount } from "echomq-conformance-figures";
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

function Probe({ step }) {
  const figure = useRef(null);
  const [said, setSaid] = useState("nothing yet");
  useEffect(() => {
    const element = figure.current;
    const hear = ({ detail }) => setSaid(detail.verdict);
    element.addEventListener("emq-verdict", hear);
    return () => element.removeEventListener("emq-verdict", hear);
  }, []);
  return (
    <section>
      <emq-conformance ref={figure} loading="eager" capture="payments" step={step}>
        <pre>until it is ready</pre>
      </emq-conformance>
      <p id="said">{said}</p>
    </section>
  );
}

function Script({ text }) {
  const place = useRef(null);
  useEffect(() => {
    const mounted = mount(place.current, { figure: "script", data: text, loading: "eager" });
    return () => mounted.destroy();
  }, [text]);
  return <div ref={place} />;
}

function Page() {
  const [step, setStep] = useState(undefined);
  const [shown, setShown] = useState(true);
  return (
    <main>
      <button id="next" onClick={() => setStep((step ?? 0) + 1)}>Next</button>
      <button id="toggle" onClick={() => setShown(!shown)}>Hide or show</button>
      {shown && <Probe step={step} />}
      <Script text="redis.call('DEL', ARGV[1])" />
    </main>
  );
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
