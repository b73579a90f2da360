import { readFile } from 'node:fs/promises'
import { locationsFrom } from '../../src/locations.ts'

export const { heicDecoder } = locationsFrom(new URL('../../src/main.ts', import.meta.url).href)

/** The sample pictures in `heic`. No library of ours writes HEVC: libheif with x265 made them. */
export type HeicSample = 'display-p3-rotated' | 'ten-bits' | 'transparent'

export async function heicFile(name: HeicSample): Promise<Buffer> {
  return await readFile(new URL(`heic/${name}.heic`, import.meta.url))
}
