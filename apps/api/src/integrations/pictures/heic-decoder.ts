import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type createLibheif from 'libheif-js/libheif-wasm/libheif.js'
import sharp from 'sharp'
import { type HeicResult, heicRequest } from './heic-messages.ts'
import { insertProfile } from './png-chunks.ts'

// Its declarations are for another module than the one with the WebAssembly inside.
const libheif: ReturnType<typeof createLibheif.default> = createRequire(import.meta.url)(
  'libheif-js/wasm-bundle',
)

const rgb = 1
const interleavedRgba = 11
const rgbaPlane = 10

/** A thread that decodes one HEIC picture: its upright primary image, as a small PNG with its profile. */
async function main(): Promise<void> {
  const { bytes, width: maxWidth, height: maxHeight, maxPixels } = heicRequest.parse(workerData)
  const { primary, width, height } = openPrimary(bytes)
  if (width * height > maxPixels) return respond({ problem: 'too-many-pixels' })

  const result = allocate(4)
  call((error) => libheif._heif_decode_image(error, primary, result, rgb, interleavedRgba, 0))
  const pixels = libheif._heif_image_get_plane_readonly(numberAt(result), rgbaPlane, result)
  const rowBytes = numberAt(result)
  const data = Buffer.from(memory().buffer, pixels, rowBytes * height)
  const picture = sharp(data, { raw: { width: rowBytes / 4, height, channels: 4 }, limitInputPixels: false })
    // Rows can be padded.
    .extract({ left: 0, top: 0, width, height })
    .resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true })
  const isTransparent = libheif._heif_image_handle_has_alpha_channel(primary) !== 0
  const png = await (isTransparent ? picture : picture.removeAlpha()).png({ compressionLevel: 1 }).toBuffer()
  const profile = profileOf(primary)
  respond({ width, height, png: profile === null ? png : insertProfile(png, profile) })
}

function respond(result: HeicResult): void {
  parentPort?.postMessage(result)
}

/** Opens the primary image. The size is after rotation and cropping. */
function openPrimary(bytes: Uint8Array): { primary: number; width: number; height: number } {
  const file = allocate(bytes.byteLength)
  memory().set(bytes, file)
  const context = libheif._heif_context_alloc()
  call((error) =>
    libheif._heif_context_read_from_memory_without_copy(error, context, file, bytes.byteLength, 0),
  )
  const result = allocate(4)
  call((error) => libheif._heif_context_get_primary_image_handle(error, context, result))
  const primary = numberAt(result)
  const width = libheif._heif_image_handle_get_width(primary)
  const height = libheif._heif_image_handle_get_height(primary)
  return { primary, width, height }
}

function profileOf(image: number): Uint8Array | null {
  const size = libheif._heif_image_handle_get_raw_color_profile_size(image)
  if (size === 0) return null
  const profile = allocate(size)
  call((error) => libheif._heif_image_handle_get_raw_color_profile(error, image, profile))
  return memory().slice(profile, profile + size)
}

/** Calls a function that returns an error structure: a code, which is zero for success, then details. */
function call(run: (error: number) => void): void {
  const error = allocate(12)
  run(error)
  if (numberAt(error) !== 0) throw new Error(`libheif: error ${numberAt(error)}/${numberAt(error + 4)}`)
}

/** Allocates memory, which ends with the thread. */
function allocate(bytes: number): number {
  return libheif._malloc(bytes)
}

function numberAt(address: number): number {
  return new DataView(memory().buffer).getUint32(address, true)
}

/** Returns the memory of libheif. NOTE: it moves when it grows, so keep no reference. */
function memory(): Uint8Array {
  return libheif.HEAPU8
}

await main()
