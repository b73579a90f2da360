import { readFileSync } from 'node:fs'
import { locateFont } from './font-files.ts'
import { type Family, fontFiles } from './pdf-fonts.ts'
import { decodeWoff } from './woff.ts'

/** A font that only texts with some of its letters need, as WOFF files. */
export type ScriptFont = Family & { letters: RegExp }

/** Returns the font of a script from its package: the part with this script alone, regular and semibold. */
function scriptFont(name: string, letters: RegExp): ScriptFont {
  const script = name.split('-').at(-1)
  const file = (weight: number) => `@fontsource/${name}/files/${name}-${script}-${weight}-normal.woff`
  return { family: toFamily(name), letters, files: [file(400), file(600)] }
}

/** Returns `Noto Serif Thai` for `noto-serif-thai`. */
function toFamily(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim()
}

const scriptFonts = [
  scriptFont('noto-serif-armenian', /\p{Script=Armenian}/u),
  scriptFont('noto-serif-georgian', /\p{Script=Georgian}/u),
  scriptFont('noto-sans-ethiopic', /\p{Script=Ethiopic}/u),
  // Other Indian scripts share its full stops.
  scriptFont('noto-serif-devanagari', /[\p{Script=Devanagari}\u0964\u0965\u20b9]/u),
  scriptFont('noto-serif-bengali', /\p{Script=Bengali}/u),
  scriptFont('noto-sans-gurmukhi', /\p{Script=Gurmukhi}/u),
  scriptFont('noto-serif-gujarati', /\p{Script=Gujarati}/u),
  scriptFont('noto-sans-oriya', /\p{Script=Oriya}/u),
  scriptFont('noto-serif-tamil', /\p{Script=Tamil}/u),
  scriptFont('noto-serif-telugu', /\p{Script=Telugu}/u),
  scriptFont('noto-sans-kannada', /\p{Script=Kannada}/u),
  scriptFont('noto-serif-malayalam', /\p{Script=Malayalam}/u),
  scriptFont('noto-sans-sinhala', /\p{Script=Sinhala}/u),
  scriptFont('noto-serif-thai', /[\p{Script=Thai}\u0e3f]/u),
  scriptFont('noto-sans-lao', /\p{Script=Lao}/u),
  scriptFont('noto-sans-myanmar', /\p{Script=Myanmar}/u),
  scriptFont('noto-serif-khmer', /\p{Script=Khmer}/u),
]

/** The files of all fonts, which the build puts beside the bundle. */
export const allFontFiles: readonly string[] = [...fontFiles, ...scriptFonts.flatMap(({ files }) => files)]

/** Returns the fonts whose letters a text has. */
export function scriptFontsOf(text: string): ScriptFont[] {
  return scriptFonts.filter(({ letters }) => letters.test(text))
}

const decoded = new Map<string, Buffer>()

/** Reads a font that Typst knows, from any of these files. Keeps decoded ones, as a compiler needs them again. */
export function readFont(file: string): Buffer {
  if (!file.endsWith('.woff')) return readFileSync(locateFont(file))
  const known = decoded.get(file)
  if (known !== undefined) return known
  const font = decodeWoff(readFileSync(locateFont(file)))
  decoded.set(file, font)
  return font
}
