// Copies code, and makes each frame as high as the page in it.

for (const button of document.querySelectorAll(".copy")) {
  button.hidden = !navigator.clipboard;
  const code = button.parentElement.querySelector("code[data-file]");
  button.ariaLabel = `Copy ${code.dataset.file}`;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
}

// No higher than this: what a page says that it is as high as its frame would make both grow for ever.
const HIGHEST = 9000;

for (const frame of document.querySelectorAll("iframe")) {
  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    if (!page?.body) return;
    new ResizeObserver(() => {
      const high = Math.min(page.documentElement.scrollHeight, HIGHEST);
      if (high > frame.clientHeight) frame.style.height = `${high}px`;
    }).observe(page.body);
  });
}
