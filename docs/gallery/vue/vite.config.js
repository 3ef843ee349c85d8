import vue from "@vitejs/plugin-vue";

export default {
  base: "./",
  // A policy stops what a file's address has in it, as that of a small file would.
  build: { target: "es2022", assetsInlineLimit: 0 },
  // Vue must not look for components of these names.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("emq-") } } })],
  // The development server must leave the package as it is.
  optimizeDeps: { exclude: ["echomq-conformance-figures"] },
};
