import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'media-not-found': () => [404, 'This picture doesn’t exist, or it isn’t published here.'],
  'range-not-satisfiable': (size: number) => [
    416,
    `This picture has ${size} bytes. Ask for a range inside it, or leave out Range.`,
    { headers: { 'Content-Range': `bytes */${size}` } },
  ],
  'invalid-date': () => [400, 'This isn’t a date. Use MM-DD-YY, such as 11-20-26.'],
  'invalid-edition-key': () => [400, 'A slot consists of letters and digits, such as 10AM.'],
  'invalid-file-type': (reason: string) => [415, reason],
  'unsupported-media-type': (reason: string) => [415, reason],
  'invalid-file': (reason: string) => [400, reason],
})
