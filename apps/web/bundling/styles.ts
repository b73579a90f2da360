import type { Plugin } from 'vite'
import { buildForShell } from './build-for-shell.ts'

const entry = 'src/styles/index.css'

/**
 * Writes the style sheet of the first screens into the shell, whose first paint then waits for no other file; the server
 * allows it by its hash. Its fonts stay files.
 */
export function styles(): Plugin {
  let root = ''
  let isBuild = false
  let sheet = ''
  return {
    name: 'tidings-styles',
    configResolved(config) {
      root = config.root
      isBuild = config.command === 'build'
    },
    async buildStart() {
      if (!isBuild) return
      const files = await buildForShell(root, entry, {
        assetsInlineLimit: 0,
        rolldownOptions: { output: { assetFileNames: 'static/[name]-[hash][extname]' } },
      })
      for (const file of files) {
        if (file.type !== 'asset') continue
        if (file.fileName.endsWith('.css')) sheet = String(file.source).trim()
        else this.emitFile({ type: 'asset', fileName: file.fileName, source: file.source })
      }
      if (sheet === '') throw new Error('The style sheet of the shell was not built')
    },
    transformIndexHtml: () =>
      isBuild
        ? [{ tag: 'style', children: sheet, injectTo: 'head' }]
        : [{ tag: 'link', attrs: { rel: 'stylesheet', href: `/${entry}` }, injectTo: 'head' }],
  }
}
