import { defineConfig } from 'vite'

/** Builds the dialogs with their chunks. */
export default defineConfig({
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    lib: { entry: `${import.meta.dirname}/src/index.ts`, formats: ['es'], fileName: 'index' },
  },
})
