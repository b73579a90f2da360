import { uploadPicture } from '@tidings/contracts/desk/media'
import { urlOf } from '@tidings/contracts/endpoint'
import sharp from 'sharp'
import { peakResident } from '../../probes/memory.ts'
import { limitRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import { editorKey, startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

const count = 20
const uploadBytes = 20_000_000
const maxBytes = 150_000_000

/** Uploads the largest files at the desk, all at once, to a new API process. Reports its peak memory. */
export async function measureUploads({ databases, lifetime, progress }: Bench): Promise<Row[]> {
  const { members, dataDir } = await databases()
  const databaseUrl = await members('few')
  const background = { r: 200, g: 100, b: 50 }
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return await progress.step(`Uploading ${count} files of 20 MB at once`, () =>
    lifetime.within(async (inner) => {
      const settings = { EDITOR_API_KEY: editorKey }
      const api = await startApi(inner, { name: 'uploads-api', databaseUrl, dataDir, settings })
      const idle = await peakResident(api.pid)
      const replies = Array.from({ length: count }, (_, number) => upload(api.url, paddedTo(picture, number)))
      const accepted = (await Promise.all(replies)).filter((status) => status === 201).length
      const sum = `of ${count} uploads of 20 MB at once`
      return [
        {
          measure: `Accepted ${sum}`,
          figure: String(accepted),
          target: String(count),
          passed: accepted === count,
        },
        limitRow(
          `Peak memory ${sum}, above ${asMegabytes(idle)} idle`,
          (await peakResident(api.pid)) - idle,
          maxBytes,
          asMegabytes,
        ),
      ]
    }),
  )
}

/** Returns another picture of 20 MB: bytes after a JPEG's end make its content differ. */
function paddedTo(picture: Buffer, number: number): Buffer {
  const padded = Buffer.alloc(uploadBytes, picture.byteLength + number)
  picture.copy(padded)
  return padded
}

/** Uploads a picture. Returns the status. */
async function upload(url: string, picture: Buffer): Promise<number> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(picture)]), 'picture.jpg')
  const headers = { Authorization: `Bearer ${editorKey}` }
  const response = await fetch(url + urlOf(uploadPicture), { method: uploadPicture.method, headers, body })
  await response.arrayBuffer()
  return response.status
}

function asMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}
