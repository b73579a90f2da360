import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

/** Puts the template of PDFs beside the bundle that reads it. */
const pdfTemplate: Plugin = {
  name: 'pdf-template',
  generateBundle() {
    const source = readFileSync(new URL('src/integrations/pdf/edition.typ', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'edition.typ', source })
  },
}

/**
 * One bundle for each process, of our own sources only: the packages of others stay where the install put
 * them, so that native ones work and their notices stay with them.
 */
export default defineConfig({
  plugins: [pdfTemplate],
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      treeshake: { moduleSideEffects: false },
      input: {
        main: 'src/main.ts',
        worker: 'src/worker.ts',
        hasher: 'src/platform/passwords/hasher.ts',
        'heic-decoder': 'src/integrations/pictures/heic-decoder.ts',
        'pdf-compiler': 'src/integrations/pdf/pdf-compiler.ts',
        'report-reader': 'src/integrations/mail/reports/report-reader-thread.ts',
        'commands/app-config': 'src/commands/app-config.ts',
        'commands/deliveries': 'src/commands/deliveries.ts',
        'commands/editor-key': 'src/commands/editor-key.ts',
        'commands/healthcheck': 'src/commands/healthcheck.ts',
        'commands/payments': 'src/commands/payments.ts',
        'commands/search': 'src/commands/search.ts',
        'commands/token-keys': 'src/commands/token-keys.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: [/^@tidings\//], target: 'node' },
})
