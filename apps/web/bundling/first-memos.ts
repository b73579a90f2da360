import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** Writes the script that requests the first memos into the shell; the server allows it by its hash. */
export function firstMemos(): Plugin {
  let root = ''
  return {
    name: 'tidings-first-memos',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'post',
      async handler() {
        const built = await build({
          root,
          configFile: false,
          logLevel: 'warn',
          build: {
            target: 'es2023',
            write: false,
            modulePreload: false,
            rolldownOptions: {
              input: join(root, 'src/first-memos/first-memos.ts'),
              output: { format: 'iife' },
            },
          },
        })
        const [output] = 'output' in built ? built.output : []
        if (output === undefined) throw new Error('The script of the first memos was not built')
        return [{ tag: 'script', children: output.code.trim(), injectTo: 'head' }]
      },
    },
  }
}
