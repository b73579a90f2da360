export type { MembershipCalls } from './dialogs/membership-calls.ts'
export type {
  HideModal,
  ModalParams,
  ModalResult,
  Modals,
  ModalType,
  OpenModal,
} from './dialogs/open-modal.ts'
