/** `0.93`: as ratios are read. */
export function ratioText(ratio: number): string {
  return ratio.toFixed(2)
}

/** `0.93 (0.88–1.02)`: a median with the least and the most. */
export function spreadText(ratio: number, [least, most]: readonly [number, number]): string {
  return `${ratioText(ratio)} (${ratioText(least)}–${ratioText(most)})`
}

/** `12,345/s`, `37.5/s`. */
export function perSecond(count: number): string {
  return `${count < 100 ? count.toFixed(1) : whole(count)}/s`
}

/** `0.42 ms`, `38 ms`: three digits at most that mean something. */
export function milliseconds(ms: number): string {
  return `${ms < 1 ? ms.toFixed(3) : ms < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`
}

/** `31.4 µs`. */
export function microseconds(us: number): string {
  return `${us.toFixed(1)} µs`
}

/** `118.4 kB`, in thousands of bytes. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}

/** `12,345`. */
export function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
