import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Context } from '#context.ts'
import { drawingUrl } from './content/index.ts'

/** Stores the drawings of the seeds as pictures of the site. */
export type Drawings = {
  /** Returns the picture's file name. */
  fileOf(drawing: string): Promise<string>
}

export function createDrawings({ config, database, media, store }: Context, widthPx: number): Drawings {
  const files = new Map<string, Promise<string>>()

  async function draw(drawing: string): Promise<string> {
    const svg = await readFile(drawingUrl(drawing))
    // The name is stable, and depends on the site's secret.
    const file = nameOf(config.secrets.siteSecret, svg)
    const isStored = (await store.open(file, 360, 'jpeg')) !== null
    const isKnown = (await database.db.media.count({ where: { file } })) > 0
    if (isStored && isKnown) return file
    const bytes = await sharp(svg, { density: 144 }).resize({ width: widthPx }).png().toBuffer()
    await media.prepare(bytes, 'editorial', file)
    return file
  }

  return {
    fileOf(drawing) {
      const known = files.get(drawing) ?? draw(drawing)
      files.set(drawing, known)
      return known
    },
  }
}

function nameOf(secret: string, svg: Buffer): string {
  const digest = createHash('sha256').update(secret).update(svg).digest('hex')
  return `${BigInt(`0x${digest}`).toString(36).slice(0, 26)}.jpg`
}
