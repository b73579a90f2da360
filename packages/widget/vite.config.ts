import { existsSync, readdirSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'vite'
import { repeatableImports } from './repeatable-imports.config.ts'

const source = `${import.meta.dirname}/src`
const target = 'es2023'

/** The classic scripts by their modes, which load the dialogs when the first one opens. */
const scripts: Record<string, string> = {
  widget: 'script-tag.ts',
  dialogs: 'published-clients/dialogs.ts',
}

/** Builds the dialogs with their chunks, then, with `--mode widget` or `--mode dialogs`, a script beside them. */
export default defineConfig(({ mode }) => {
  const script = scripts[mode]
  return script === undefined ? dialogs() : classicScript(mode, `${source}/${script}`)
})

function dialogs(): UserConfig {
  return {
    plugins: [repeatableImports(/-/)],
    build: {
      target,
      outDir: 'dist',
      emptyOutDir: true,
      lib: { entry: { dialogs: `${source}/dialogs/view/open-dialog.tsx` }, formats: ['es'] },
      rolldownOptions: {
        output: {
          minify: true,
          entryFileNames: 'widget/[name]-[hash].js',
          chunkFileNames: 'widget/[name]-[hash].js',
        },
      },
    },
  }
}

function classicScript(name: string, entry: string): UserConfig {
  return {
    define: { dialogsFile: JSON.stringify(builtDialogs()) },
    build: {
      target,
      outDir: 'dist',
      emptyOutDir: false,
      lib: { entry, name: 'tidingsWidget', formats: ['iife'], fileName: () => `${name}.js` },
      rolldownOptions: { output: { minify: true } },
    },
  }
}

/** Returns the file of the dialogs, which is built first. */
function builtDialogs(): string {
  const folder = `${import.meta.dirname}/dist/widget`
  const file = existsSync(folder) && readdirSync(folder).find((name) => name.startsWith('dialogs-'))
  if (!file) throw new Error('Build the dialogs before their scripts')
  return `widget/${file}`
}
