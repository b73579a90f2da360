import sharp from 'sharp'

/** Returns the profile of Display P3 or sRGB that libvips has. */
export async function profileOf(name: 'p3' | 'srgb' | 'cmyk'): Promise<Buffer> {
  const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
  const { icc } = await sharp(await picture.withIccProfile(name).jpeg().toBuffer()).metadata()
  if (icc === undefined) throw new Error(`no profile ${name}`)
  return icc
}

/** Creates the profile of a gray space with this gamma. */
export function grayProfile(gamma: number): Buffer {
  const tags: [string, Buffer][] = [
    ['desc', padded('desc', 104, [5, 0x67_72_61_79])],
    ['cprt', padded('text', 12)],
    ['wtpt', padded('XYZ ', 20, whitePoint)],
    ['kTRC', padded('curv', 16, [1, Math.round(gamma * 256) * 0x1_00_00])],
  ]
  const directory = Buffer.alloc(4 + 12 * tags.length)
  directory.writeUInt32BE(tags.length)
  let end = 128 + directory.length
  tags.forEach(([name, { length }], index) => {
    directory.write(name, 4 + 12 * index, 'latin1')
    directory.writeUInt32BE(end, 8 + 12 * index)
    directory.writeUInt32BE(length, 12 + 12 * index)
    end += length
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(end)
  header.writeUInt32BE(0x02_40_00_00, 8)
  header.write('mntrGRAYXYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  whitePoint.forEach((value, index) => {
    header.writeUInt32BE(value, 68 + 4 * index)
  })
  return Buffer.concat([header, directory, ...tags.map(([, data]) => data)])
}

// D50 in 65,536ths.
const whitePoint = [0.9642, 1, 0.8249].map((value) => Math.round(value * 65_536))

/** Returns an element of a profile: its type, four zeros, then numbers of four bytes. */
function padded(type: string, length: number, numbers: readonly number[] = []): Buffer {
  const element = Buffer.alloc(length)
  element.write(type, 'latin1')
  numbers.forEach((value, index) => {
    element.writeUInt32BE(value, 8 + 4 * index)
  })
  return element
}
