import { uploadPicture } from '@tidings/contracts/desk/media'
import { urlOf } from '@tidings/contracts/endpoint'
import sharp, { type Sharp } from 'sharp'
import { peakResident } from '../../probes/memory.ts'
import { limitRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import { editorKey, startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

const maxBytes = 1_700_000_000
const maxSeconds = 15
// The largest picture that an editor may upload.
const size = { width: 10_000, height: 5_000 }
const quickSize = { width: 1_000, height: 500 }

const forms: readonly [name: string, encode: (opaque: Sharp, transparent: Sharp) => Sharp][] = [
  ['baseline JPEG', (opaque) => opaque.jpeg()],
  ['progressive JPEG', (opaque) => opaque.jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
  [
    'interlaced PNG of 16 bits',
    (_opaque, transparent) =>
      transparent.toColorspace('rgb16').png({ progressive: true, compressionLevel: 2 }),
  ],
  ['lossless WebP', (_opaque, transparent) => transparent.webp({ lossless: true, effort: 0 })],
  [
    'AVIF of 12 bits',
    (_opaque, transparent) =>
      transparent.toColorspace('rgb16').avif({ bitdepth: 12, chromaSubsampling: '4:4:4', effort: 0 }),
  ],
]

/** Uploads the largest pictures at the desk, each to a new API process. Reports its peak memory and the seconds. */
export async function measurePictures({ databases, lifetime, progress, quick }: Bench): Promise<Row[]> {
  const { members, dataDir } = await databases()
  const databaseUrl = await members('few')
  const { width, height } = quick ? quickSize : size
  const megapixels = (width * height) / 1_000_000
  const rows: Row[] = []
  for (const [name, encode] of forms) {
    const background = { r: 200, g: 100, b: 50 }
    const opaque = sharp({ create: { width, height, channels: 3, background } })
    const transparent = sharp({
      create: { width, height, channels: 4, background: { ...background, alpha: 0.5 } },
    })
    const picture = await encode(opaque, transparent).toBuffer()
    const { bytes, seconds } = await progress.step(`Uploading ${megapixels} megapixels as ${name}`, () =>
      lifetime.within(async (inner) => {
        const settings = { EDITOR_API_KEY: editorKey }
        const api = await startApi(inner, { name: 'pictures-api', databaseUrl, dataDir, settings })
        const seconds = await upload(api.url, picture)
        return { bytes: await peakResident(api.pid), seconds }
      }),
    )
    const measure = `Upload of ${megapixels} megapixels as ${name}`
    rows.push(
      limitRow(
        `${measure}: peak memory of the API process`,
        bytes,
        maxBytes,
        (value) => `${Math.round(value / 1_000_000)} MB`,
      ),
      limitRow(`${measure}: time`, seconds, maxSeconds, (value) => `${value.toFixed(1)} s`),
    )
  }
  return rows
}

/** Uploads a picture. Returns the seconds. */
async function upload(url: string, picture: Buffer): Promise<number> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(picture)]), 'picture')
  const began = performance.now()
  const headers = { Authorization: `Bearer ${editorKey}` }
  const { status } = await fetch(url + urlOf(uploadPicture), { method: uploadPicture.method, headers, body })
  if (status !== 201) throw new Error(`The upload responded with ${status}.`)
  return (performance.now() - began) / 1_000
}
