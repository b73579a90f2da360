import type { Plugin } from 'vite'

// The files of a build, relative to the chunk that imports them.
const imports = /\bimport\((["'`])(\.{1,2}\/[^"'`]+\.js)\1\)/g

/**
 * Lets the chunks of these names load again after a failure. Browsers keep that an address failed, so the second attempt
 * adds a query to it. NOTE: a chunk that such a chunk imports can't be loaded again.
 */
export function repeatableImports(names: RegExp): Plugin {
  return {
    name: 'repeatable-imports',
    apply: 'build',
    renderChunk: (code) =>
      code.replaceAll(imports, (first, _quote, file) =>
        names.test(file) ? `${first}.catch(()=>import(\`${file}?\`+performance.now()))` : first,
      ),
  }
}
