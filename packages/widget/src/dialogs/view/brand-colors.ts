const defaultPrimary = 'rgb(41, 98, 255)'
const dark = '#111111'
const light = '#ffffff'

// `--paper` of the style sheet.
const lightPaper = [255, 255, 255] as const
const darkPaper = [33, 31, 28] as const

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * Returns the custom properties of the app's branding: the primary button, a readable text color for it, and its edge,
 * which is visible where the button hardly stands out from the dialog.
 */
export function brandColors(primary: string, read = readColor): Record<string, string> {
  const known = read(primary)
  const color = known ?? [41, 98, 255]
  return {
    '--primary': known === null ? defaultPrimary : primary,
    '--on-primary': readableOn(color),
    '--primary-edge': `light-dark(${edgeOn(lightPaper, color)}, ${edgeOn(darkPaper, color)})`,
  }
}

/** Returns black or white, whichever has the higher contrast. */
export function readableOn(background: Rgb): string {
  return contrast(background, [255, 255, 255]) >= contrast(background, [17, 17, 17]) ? light : dark
}

/** Returns the color of a button's edge; 3:1 is the lowest contrast that shows where a button is. */
function edgeOn(paper: Rgb, button: Rgb): string {
  return contrast(paper, button) < 3 ? 'var(--line)' : 'transparent'
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
  context.fillStyle = light
  context.fillRect(0, 0, 1, 1)
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
