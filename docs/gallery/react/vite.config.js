export default {
  base: "./",
  esbuild: { jsx: "automatic" },
  // A policy stops what a file's address has in it, as that of a small file would.
  build: { target: "es2022", assetsInlineLimit: 0 },
  // The development server must leave the package as it is.
  optimizeDeps: { exclude: ["echomq-conformance-figures"] },
};
