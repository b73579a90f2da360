import type { PictureFormat } from '../pictures/picture-encoder.ts'
import type { VariantName } from './media-store.ts'

const fileForm = /^(([a-z0-9]{2})[a-z0-9]{18,38})\.jpg$/
const keyForm = /^[a-z0-9]{2}\/([a-z0-9]{20,40})\/(\d{1,5})\.(avif|webp|jpeg)$/
const formats: readonly PictureFormat[] = ['avif', 'webp', 'jpeg']

/** Returns the folder of a picture; null for an invalid name, so that callers cannot choose a path. */
export function variantFolder(file: string): string | null {
  const [, name, letters] = fileForm.exec(file) ?? []
  return name && letters ? `${letters}/${name}` : null
}

/** Returns the key of a variant, `<first two letters>/<name>/<width>.<format>`; null for an invalid name. */
export function keyOfVariant({ file, width, format }: VariantName): string | null {
  const place = variantFolder(file)
  return place === null || !Number.isSafeInteger(width) ? null : `${place}/${width}.${format}`
}

/** Returns the variant that a key names; null for other keys. */
export function parseKeyOfVariant(key: string): VariantName | null {
  const [, name, width, formatName] = keyForm.exec(key) ?? []
  const format = formats.find((known) => known === formatName)
  return name && format ? { file: `${name}.jpg`, width: Number(width), format } : null
}
