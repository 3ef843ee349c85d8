export default {
  base: "./",
  esbuild: { jsx: "automatic" },
  build: { target: "es2022" },
  // The development server must leave the package as it is.
  optimizeDeps: { exclude: ["echomq-conformance-figures"] },
};
