import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pid } from 'node:process'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** The features that browsers use by themselves, and the digits of equal width in lists. */
const layoutFeatures = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'liga', 'clig', 'calt', 'rlig', 'tnum']

const folder = join(import.meta.dirname, '../src/styles')

/** Writes the font files that the style sheet names, before a build and before the development server starts. */
export function fontSubsets(): Plugin {
  return {
    name: 'tidings-font-subsets',
    async config() {
      const styles = await readFile(join(folder, 'fonts.css'), 'utf8')
      await mkdir(join(folder, 'subsets'), { recursive: true })
      for (const face of parseFontFaces(styles)) {
        await writeWhole(join(folder, 'subsets', face.file), await makeSubset(face))
      }
    },
  }
}

/** One file of the style sheet: `newsreader-english-wght-normal.woff2`, with its code points and weights. */
type FontFace = { file: string; codePoints: number[]; weights: { min: number; max: number } }

/** Returns the rules of a style sheet whose files are subsets. */
function parseFontFaces(styles: string): FontFace[] {
  return [...styles.matchAll(/@font-face\s*\{([^}]*subsets\/[^}]*)\}/g)].map(([, rule = '']) => {
    const [, file] = /subsets\/([\w-]+\.woff2)/.exec(rule) ?? []
    const [, min, max] = /font-weight:\s*(\d+) (\d+)/.exec(rule) ?? []
    const codePoints = [...rule.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)].flatMap(
      ([, first = '', last = first]) => between(Number.parseInt(first, 16), Number.parseInt(last, 16)),
    )
    if (file === undefined || max === undefined || codePoints.length === 0)
      throw new Error(`The font rule has no file, weights or range: ${rule}`)
    return { file, codePoints, weights: { min: Number(min), max: Number(max) } }
  })
}

async function makeSubset({ file, codePoints, weights }: FontFace): Promise<Buffer> {
  const [family] = file.split('-')
  // The English letters are part of the Latin ones.
  const source = `@fontsource-variable/${family}/files/${file.replace('-english-', '-latin-')}`
  const font = await readFile(createRequire(import.meta.url).resolve(source))
  return await subsetFont(font, String.fromCodePoint(...codePoints), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
    keepFeatures: layoutFeatures,
    noHinting: true,
  })
}

/** Writes a file that other builds, which run at the same time, never see half written. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const draft = `${path}.${pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
