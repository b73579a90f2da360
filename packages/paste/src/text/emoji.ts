const oneEmoji =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)*/gv

/** Returns whether a text consists of emoji. */
export function isEmoji(text: string): boolean {
  return text !== '' && text.replace(oneEmoji, '') === ''
}
