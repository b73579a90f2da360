import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]
const compressible = /\.(js|css|html|svg|json|txt)$/

/** Writes a `.br` and a `.gz` next to every text file of the build, which the server sends as they are. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'tidings-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
      await Promise.all(files.map((file) => compressFile(join(file.parentPath, file.name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  await writeFile(`${path}.br`, await compressBrotli(content, { params }))
  await writeFile(`${path}.gz`, await compressGzip(content, { level: constants.Z_BEST_COMPRESSION }))
}
