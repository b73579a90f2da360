import sharp from 'sharp'

/** Returns a picture as a file of a chooser: a gray one, or noise, which is larger. */
export async function picture(kind: 'gray' | 'noise' = 'gray') {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const background = kind === 'gray' ? { background: 'gray' } : { background: 'black', noise }
  const image = sharp({ create: { width: 320, height: 240, channels: 3, ...background } })
  return { name: 'a.png', mimeType: 'image/png', buffer: await image.png().toBuffer() }
}
