/** Formats a ratio: `0.93`. */
export function ratioText(ratio: number): string {
  return ratio.toFixed(2)
}

/** Formats a median ratio with the smallest and the largest one: `0.93 (0.88–1.02)`. */
export function spreadText(ratio: number, [min, max]: readonly [number, number]): string {
  return `${ratioText(ratio)} (${ratioText(min)}–${ratioText(max)})`
}

/** Formats a rate: `12,345/s`, `37.5/s`. */
export function perSecond(count: number): string {
  return `${count < 100 ? count.toFixed(1) : whole(count)}/s`
}

/** Formats milliseconds: `0.420 ms`, `4.20 ms`, `38.0 ms`. */
export function milliseconds(ms: number): string {
  return `${ms < 1 ? ms.toFixed(3) : ms < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`
}

/** Formats microseconds: `31.4 µs`. */
export function microseconds(us: number): string {
  return `${us.toFixed(1)} µs`
}

/** Formats bytes in thousands: `118.4 kB`. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}

/** Formats an integer: `12,345`. */
export function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
