import { join } from 'node:path'
import { build, type Plugin } from 'vite'

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
      const built = await build({
        root,
        configFile: false,
        logLevel: 'warn',
        build: {
          target: 'es2023',
          write: false,
          assetsInlineLimit: 0,
          rolldownOptions: {
            input: join(root, entry),
            output: { assetFileNames: 'static/[name]-[hash][extname]' },
          },
        },
      })
      for (const file of 'output' in built ? built.output : []) {
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
