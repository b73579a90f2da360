import type { Declarations } from './declarations.ts'

/** How text can look, as bits of a set. */
export const looks = {
  bold: 1,
  italic: 2,
  struck: 4,
  underlined: 8,
  raised: 16,
  lowered: 32,
  code: 64,
} as const

/** The looks that a style turns on and off. */
export type LookChange = { on: number; off: number }

const sizeAndLater =
  /(?:^|\s)(?:[\d.]+(?:pt|px|em|rem|in|cm|mm|pc|%)|(?:xx?-)?(?:small|large)\b|medium|smaller|larger).*$/
const codeFonts = new Set([
  'roboto mono',
  'consolas',
  'menlo',
  'monaco',
  'sf mono',
  'sfmono-regular',
  'source code pro',
  'jetbrains mono',
  'fira code',
  'ui-monospace',
])

/** Reads what a style says of the text that it applies to. */
export function readLook(style: Declarations): LookChange {
  const change = { on: 0, off: 0 }
  const set = (look: number, isOn: boolean | undefined) => {
    if (isOn === undefined) return
    change.on = isOn ? change.on | look : change.on & ~look
    change.off = isOn ? change.off & ~look : change.off | look
  }
  // The shorthand also resets what it leaves out, but programs write it for the font and its size.
  const shorthand = (style.get('font') ?? '').replace(sizeAndLater, '').split(/\s+/)
  for (const word of shorthand) {
    if (word === 'normal') continue
    set(looks.bold, isBold(word))
    set(looks.italic, isItalic(word))
  }
  set(looks.bold, isBold(style.get('font-weight')))
  set(looks.italic, isItalic(style.get('font-style')))
  const lines = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`.split(
    /\s+/,
  )
  set(looks.struck, lines.includes('line-through') ? true : lines.includes('none') ? false : undefined)
  set(looks.underlined, lines.includes('underline') ? true : lines.includes('none') ? false : undefined)
  const position = style.get('vertical-align')
  set(looks.raised, position === 'super' ? true : position === undefined ? undefined : false)
  set(looks.lowered, position === 'sub' ? true : position === undefined ? undefined : false)
  if (codeFonts.has(firstFont(style))) set(looks.code, true)
  return change
}

function isBold(weight: string | undefined): boolean | undefined {
  if (weight === 'bold' || weight === 'bolder') return true
  if (weight === 'normal' || weight === 'lighter') return false
  if (weight === undefined || !/^\d{1,4}(?:\.\d+)?$/.test(weight)) return undefined
  return Number(weight) >= 600
}

function isItalic(style: string | undefined): boolean | undefined {
  if (style === 'normal') return false
  return style !== undefined && /^(?:italic|oblique)/.test(style) ? true : undefined
}

function firstFont(style: Declarations): string {
  return (style.get('font-family')?.split(',')[0] ?? '').trim().replaceAll(/["']/g, '')
}
