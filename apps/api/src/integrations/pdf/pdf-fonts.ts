import { createRequire } from 'node:module'
import path from 'node:path'

/** A font family and its files; the first file is the upright one of normal weight. */
export type Family = { family: string; files: readonly [string, ...string[]] }

const require = createRequire(import.meta.url)
const styles = { regular: '400Regular', italic: '400Regular_Italic' }
const bold = { semi: '600SemiBold', semiItalic: '600SemiBold_Italic', full: '700Bold' }

/** Returns the static fonts of a package from Google Fonts, one for each style. */
function googleFont(
  manifest: string,
  { family, name = family.replaceAll(' ', '') }: { family: string; name?: string },
  ...others: string[]
): Family {
  const file = (style: string) => path.join(path.dirname(manifest), style, `${name}_${style}.ttf`)
  return { family, files: [file(styles.regular), ...others.map(file)] }
}

const chineseFonts = path.join(path.dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts')

const newsreader = googleFont(
  require.resolve('@expo-google-fonts/newsreader/package.json'),
  { family: 'Newsreader' },
  ...[styles.italic, '500Medium', '500Medium_Italic', bold.semi, bold.semiItalic],
)
const figtree = googleFont(
  require.resolve('@expo-google-fonts/figtree/package.json'),
  { family: 'Figtree' },
  ...[styles.italic, bold.semi, bold.semiItalic],
)
const alphabets = [
  googleFont(
    require.resolve('@expo-google-fonts/noto-serif/package.json'),
    { family: 'Noto Serif' },
    ...[styles.italic, bold.semi, bold.semiItalic],
  ),
  googleFont(
    require.resolve('@expo-google-fonts/noto-naskh-arabic/package.json'),
    { family: 'Noto Naskh Arabic' },
    bold.semi,
  ),
  googleFont(
    require.resolve('@expo-google-fonts/noto-serif-hebrew/package.json'),
    { family: 'Noto Serif Hebrew' },
    bold.semi,
  ),
]
const japanese = googleFont(
  require.resolve('@expo-google-fonts/biz-udpmincho/package.json'),
  { family: 'BIZ UDPMincho' },
  bold.full,
)
const chinese: Family = {
  family: 'Noto Sans S Chinese',
  files: [
    path.join(chineseFonts, 'NotoSansHans-Regular.otf'),
    path.join(chineseFonts, 'NotoSansHans-Bold.otf'),
  ],
}
const korean = googleFont(
  require.resolve('@expo-google-fonts/nanum-myeongjo/package.json'),
  { family: 'NanumMyeongjo' },
  bold.full,
)
const symbols = [
  googleFont(require.resolve('@expo-google-fonts/noto-emoji/package.json'), { family: 'Noto Emoji' }),
  googleFont(require.resolve('@expo-google-fonts/noto-sans-symbols/package.json'), {
    family: 'Noto Sans Symbols',
  }),
  googleFont(require.resolve('@expo-google-fonts/noto-sans-symbols-2/package.json'), {
    family: 'Noto Sans Symbols 2',
  }),
  googleFont(require.resolve('@expo-google-fonts/noto-sans-math/package.json'), { family: 'Noto Sans Math' }),
]

/** The files of the fonts that Typst opens when a document needs them. */
export const fontFiles: readonly string[] = [
  ...[newsreader, figtree, ...alphabets, japanese, chinese, korean, ...symbols],
].flatMap(({ files }) => files)

/** One file of each family that may replace another one's missing characters, and those of these scripts. */
export function coverageFiles(scripts: readonly Family[]): string[] {
  const families = [newsreader, ...alphabets, ...scripts, japanese, chinese, korean, ...symbols]
  return families.map(({ files: [file] }) => file)
}

/**
 * Returns the families that replace missing characters, by language: the same Chinese character looks different in each.
 * `scripts` are those of the document's own scripts.
 */
export function fallbackFonts(scripts: readonly Family[]): Readonly<Record<string, readonly string[]>> {
  const fallback = (...eastAsian: Family[]) =>
    [...alphabets, ...scripts, ...eastAsian, ...symbols].map(({ family }) => family)
  return {
    '': fallback(japanese, chinese, korean),
    zh: fallback(chinese, japanese, korean),
    ko: fallback(korean, japanese, chinese),
  }
}
