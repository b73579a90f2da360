import { limits } from '@tidings/contracts/limits'

/** A part of a picture in percent of its width and height. */
export type Part = { x: number; y: number; width: number; height: number }

const wholePicture: Part = { x: 0, y: 0, width: 100, height: 100 }
// Sharp at the largest width at which the site shows it.
const longestSide = 2_400
const quality = 0.92
const heic = /hei[cf]/i

/** Reads a picture upright, and returns it as a JPEG of at most 2,400 pixels. Throws what to do if it can't be read. */
export async function scaledPicture(file: File): Promise<Blob> {
  if (!file.type.startsWith('image/') && !heic.test(file.name))
    throw new Error('This isn’t a picture. Choose a JPEG, PNG or WebP file.')
  let picture: ImageBitmap
  try {
    picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch (cause) {
    throw new Error(`This browser can’t read ${formatOf(file)}. Save it as JPEG first.`, { cause })
  }
  const isSmall = Math.max(picture.width, picture.height) <= longestSide
  // The server turns it upright, too.
  if (isSmall && file.size <= limits.deskPictureBytes) return file
  return await drawn(picture, { ...picture, width: picture.width, height: picture.height }, wholePicture)
}

/** Returns a part of a picture that is shown. */
export async function croppedPicture(image: HTMLImageElement, part: Part): Promise<Blob> {
  return await drawn(image, { width: image.naturalWidth, height: image.naturalHeight }, part)
}

async function drawn(
  source: CanvasImageSource,
  size: { width: number; height: number },
  part: Part,
): Promise<Blob> {
  const [width, height] = [(size.width * part.width) / 100, (size.height * part.height) / 100]
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  const [left, top] = [(size.width * part.x) / 100, (size.height * part.y) / 100]
  context?.drawImage(source, left, top, width, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (blob === null) throw new Error('This browser can’t scale the picture. Save it smaller first.')
  return blob
}

function formatOf({ type, name }: File): string {
  if (heic.test(type) || heic.test(name)) return 'HEIC'
  return type === '' ? 'this format' : (type.split('/')[1] ?? type).toUpperCase()
}
