const defaultPrimary = 'rgb(41, 98, 255)'
const dark = '#111111'
const light = '#ffffff'

type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the custom properties of the app's branding: the primary button and a readable text color for it. */
export function brandColors(primary: string, read = readColor): Record<string, string> {
  const known = read(primary)
  const color = known === null ? defaultPrimary : primary
  return { '--primary': color, '--on-primary': readableOn(known ?? [41, 98, 255]) }
}

/** Returns black or white, whichever has the higher contrast. */
export function readableOn(background: Rgb): string {
  const value = luminance(background)
  return 1.05 / (value + 0.05) >= (value + 0.05) / (luminance([17, 17, 17]) + 0.05) ? light : dark
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
