import { defineConfig } from 'vite'

/** Two builds of one source: an ES module, and with `--mode script-tag` a script that puts the client on the page. */
export default defineConfig(({ mode }) => {
  const isScriptTag = mode === 'script-tag'
  return {
    build: {
      target: 'es2023',
      outDir: 'dist',
      // The module is built first, the script beside it.
      emptyOutDir: !isScriptTag,
      lib: {
        entry: `${import.meta.dirname}/src/${isScriptTag ? 'script-tag' : 'index'}.ts`,
        name: 'tidingsMembership',
        formats: [isScriptTag ? 'iife' : 'es'],
        fileName: () => (isScriptTag ? 'client.global.js' : 'client.js'),
      },
      // Repeated for this output, because a library build keeps the white space of ES modules.
      rolldownOptions: { output: { minify: true } },
    },
  }
})
