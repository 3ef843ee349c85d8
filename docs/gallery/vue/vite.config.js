import vue from "@vitejs/plugin-vue";

export default {
  base: "./",
  build: { target: "es2022" },
  // Vue must not look for components of these names.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("emq-") } } })],
  // The development server must leave the package as it is.
  optimizeDeps: { exclude: ["echomq-conformance-figures"] },
};
