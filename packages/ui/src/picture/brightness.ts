import type { SyntheticEvent } from 'react'

const edgePx = 8

/** Marks whether a loaded picture is bright on average: the dark page dims bright pictures only. */
export function markBrightness({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  const canvas = document.createElement('canvas')
  canvas.width = edgePx
  canvas.height = edgePx
  const context = canvas.getContext('2d')
  if (context === null) return
  context.drawImage(currentTarget, 0, 0, edgePx, edgePx)
  const { data } = context.getImageData(0, 0, edgePx, edgePx)
  // With the opaque channel, which counts as white, this is half of the way from black to white.
  currentTarget.dataset.bright = String(data.reduce((sum, value) => sum + value, 0) / data.length > 159)
}
