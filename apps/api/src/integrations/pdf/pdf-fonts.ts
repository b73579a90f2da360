/** A font family and its files, for `locateFont`; the first one is upright and of normal weight. */
export type Family = { family: string; files: readonly [string, ...string[]] }

const styles = { regular: '400Regular', italic: '400Regular_Italic' }
const bold = { semi: '600SemiBold', semiItalic: '600SemiBold_Italic', full: '700Bold' }

/** Returns the static fonts of a package from Google Fonts, one for each style. */
function googleFont(
  packageName: string,
  { family, name = family.replaceAll(' ', '') }: { family: string; name?: string },
  ...others: string[]
): Family {
  const file = (style: string) => `@expo-google-fonts/${packageName}/${style}/${name}_${style}.ttf`
  return { family, files: [file(styles.regular), ...others.map(file)] }
}

const newsreader = googleFont(
  'newsreader',
  { family: 'Newsreader' },
  ...[styles.italic, '500Medium', '500Medium_Italic', bold.semi, bold.semiItalic],
)
const figtree = googleFont('figtree', { family: 'Figtree' }, ...[styles.italic, bold.semi, bold.semiItalic])
const alphabets = [
  googleFont('noto-serif', { family: 'Noto Serif' }, ...[styles.italic, bold.semi, bold.semiItalic]),
  googleFont('noto-naskh-arabic', { family: 'Noto Naskh Arabic' }, bold.semi),
  googleFont('noto-serif-hebrew', { family: 'Noto Serif Hebrew' }, bold.semi),
]
const japanese = googleFont('biz-udpmincho', { family: 'BIZ UDPMincho' }, bold.full)
const chinese: Family = {
  family: 'Noto Sans S Chinese',
  files: [
    '@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf',
    '@embedpdf/fonts-sc/fonts/NotoSansHans-Bold.otf',
  ],
}
const korean = googleFont('nanum-myeongjo', { family: 'NanumMyeongjo' }, bold.full)
const symbols = [
  googleFont('noto-emoji', { family: 'Noto Emoji' }),
  googleFont('noto-sans-symbols', { family: 'Noto Sans Symbols' }),
  googleFont('noto-sans-symbols-2', { family: 'Noto Sans Symbols 2' }),
  googleFont('noto-sans-math', { family: 'Noto Sans Math' }),
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
