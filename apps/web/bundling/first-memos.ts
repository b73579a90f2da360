import type { Plugin } from 'vite'
import { buildForShell } from './build-for-shell.ts'

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
        const [output] = await buildForShell(root, 'src/first-memos/first-memos.ts', {
          modulePreload: false,
          rolldownOptions: { output: { format: 'iife' } },
        })
        if (output?.type !== 'chunk') throw new Error('The script of the first memos was not built')
        return [{ tag: 'script', children: output.code.trim(), injectTo: 'head' }]
      },
    },
  }
}
