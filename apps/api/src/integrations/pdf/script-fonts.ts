import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Family } from './pdf-fonts.ts'
import { decodeWoff } from './woff.ts'

/** A font that only texts with some of its letters need, as WOFF files. */
export type ScriptFont = Family & { letters: RegExp }

const require = createRequire(import.meta.url)
/** Returns the font of a script from its package: the part with this script alone, regular and semibold. */
function scriptFont(manifest: string, letters: RegExp): ScriptFont {
  const folder = path.dirname(manifest)
  const name = path.basename(folder)
  const script = name.split('-').at(-1)
  const file = (weight: number) => path.join(folder, 'files', `${name}-${script}-${weight}-normal.woff`)
  return { family: toFamily(name), letters, files: [file(400), file(600)] }
}

/** Returns `Noto Serif Thai` for `noto-serif-thai`. */
function toFamily(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim()
}

const scriptFonts = [
  scriptFont(require.resolve('@fontsource/noto-serif-armenian/package.json'), /\p{Script=Armenian}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-georgian/package.json'), /\p{Script=Georgian}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-ethiopic/package.json'), /\p{Script=Ethiopic}/u),
  // Other Indian scripts share its full stops.
  scriptFont(
    require.resolve('@fontsource/noto-serif-devanagari/package.json'),
    /[\p{Script=Devanagari}\u0964\u0965\u20b9]/u,
  ),
  scriptFont(require.resolve('@fontsource/noto-serif-bengali/package.json'), /\p{Script=Bengali}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-gurmukhi/package.json'), /\p{Script=Gurmukhi}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-gujarati/package.json'), /\p{Script=Gujarati}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-oriya/package.json'), /\p{Script=Oriya}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-tamil/package.json'), /\p{Script=Tamil}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-telugu/package.json'), /\p{Script=Telugu}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-kannada/package.json'), /\p{Script=Kannada}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-malayalam/package.json'), /\p{Script=Malayalam}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-sinhala/package.json'), /\p{Script=Sinhala}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-thai/package.json'), /[\p{Script=Thai}\u0e3f]/u),
  scriptFont(require.resolve('@fontsource/noto-sans-lao/package.json'), /\p{Script=Lao}/u),
  scriptFont(require.resolve('@fontsource/noto-sans-myanmar/package.json'), /\p{Script=Myanmar}/u),
  scriptFont(require.resolve('@fontsource/noto-serif-khmer/package.json'), /\p{Script=Khmer}/u),
]

/** Returns the fonts whose letters a text has. */
export function scriptFontsOf(text: string): ScriptFont[] {
  return scriptFonts.filter(({ letters }) => letters.test(text))
}

const decoded = new Map<string, Buffer>()

/** Reads a font that Typst knows, from any of these files. Keeps decoded ones, as a compiler needs them again. */
export function readFont(file: string): Buffer {
  if (!file.endsWith('.woff')) return readFileSync(file)
  const known = decoded.get(file)
  if (known !== undefined) return known
  const font = decodeWoff(readFileSync(file))
  decoded.set(file, font)
  return font
}
