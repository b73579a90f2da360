import sharp from 'sharp'

/** Returns a small JPEG picture, as an editor would upload. */
export async function jpegPicture(width = 800, height = 600): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: '#a6402b' } })
    .jpeg()
    .toBuffer()
}
