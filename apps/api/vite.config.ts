import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { fontPackage, locateFont } from './src/integrations/pdf/font-files.ts'
import { allFontFiles } from './src/integrations/pdf/script-fonts.ts'

/** Puts the template of PDFs beside the bundle that reads it. */
const pdfTemplate: Plugin = {
  name: 'pdf-template',
  generateBundle() {
    const source = readFileSync(new URL('src/integrations/pdf/edition.typ', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'edition.typ', source })
  },
}

/** Puts the fonts of PDFs, with their licenses, beside the bundle that reads them. */
const pdfFonts: Plugin = {
  name: 'pdf-fonts',
  generateBundle() {
    const licenses = [...new Set(allFontFiles.map(fontPackage))].flatMap(licensesOf)
    for (const file of [...allFontFiles, ...licenses])
      this.emitFile({ type: 'asset', fileName: `fonts/${file}`, source: readFileSync(locateFont(file)) })
  },
}

function licensesOf(packageName: string): string[] {
  const files = readdirSync(locateFont(packageName)).filter((file) => file.startsWith('LICENSE'))
  if (files.length === 0) throw new Error(`The font ${packageName} has no license.`)
  return files.map((file) => `${packageName}/${file}`)
}

/**
 * One bundle for each process, of our own sources only: the packages of others stay where the install put
 * them, so that native ones work and their notices stay with them. Fonts are files that the build copies.
 */
export default defineConfig({
  plugins: [pdfTemplate, pdfFonts],
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
        'commands/healthcheck': 'src/commands/healthcheck.ts',
        'commands/tidings': 'src/commands/tidings.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: [/^@tidings\//], target: 'node' },
})
