import type { DraftState } from '#lib/saving/draft-state.ts'
import type { TextDraft } from '#lib/saving/text-draft.ts'

/** The fields that memos and articles share on every screen. */
export type WrittenText = { title: string; memo_content: string }

/** An open text: what is typed, and what the server has. */
export type OpenText<Text extends object> = { id: string; draft: TextDraft<Text>; state: DraftState<Text> }
