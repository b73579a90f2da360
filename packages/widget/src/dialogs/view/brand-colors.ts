const defaultPrimary = 'rgb(41, 98, 255)'
const black = '#111111'
const white = '#ffffff'

// `--paper` of the style sheet.
const lightPaper = [255, 255, 255] as const
const darkPaper = [33, 31, 28] as const

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * Returns the custom properties of the app's branding: the primary button, a readable text color for it, and its edge.
 * The text's color replaces one that is nearly the dialog's background; one that is close to it gets an edge.
 */
export function brandColors(primary: string, read = readColor): Record<string, string> {
  const known = read(primary)
  const button = { css: known === null ? defaultPrimary : primary, color: known ?? [41, 98, 255] } as const
  const [light, dark] = [buttonOn(lightPaper, button), buttonOn(darkPaper, button)]
  return {
    '--primary': `light-dark(${light.primary}, ${dark.primary})`,
    '--on-primary': `light-dark(${light.text}, ${dark.text})`,
    '--primary-edge': `light-dark(${light.edge}, ${dark.edge})`,
  }
}

function buttonOn(paper: Rgb, { css, color }: { css: string; color: Rgb }) {
  const difference = contrast(paper, color)
  if (difference < 1.5) return { primary: 'var(--ink)', text: 'var(--paper)', edge: 'transparent' }
  // 3:1 is the lowest contrast that shows where a button is.
  return { primary: css, text: readableOn(color), edge: difference < 3 ? 'var(--line)' : 'transparent' }
}

/** Returns black or white, whichever has the higher contrast. */
export function readableOn(background: Rgb): string {
  return contrast(background, [255, 255, 255]) >= contrast(background, [17, 17, 17]) ? white : black
}

function contrast(one: Rgb, other: Rgb): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Returns the parts of any CSS color, null for an invalid one. */
function readColor(color: string): Rgb | null {
  if (!CSS.supports('color', color)) return null
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) return null
  context.fillStyle = white
  context.fillRect(0, 0, 1, 1)
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
