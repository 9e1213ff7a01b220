import { claimTexts } from '@/components/claim/texts'
import { depositsTexts } from '@/components/deposit/texts'
import { useLanguage, useT } from '@/i18n'
import { adminTexts } from '../texts'
import type { Words } from './written'

/** The words for what an act changed: what a state is called goes by what it is the state of. */
export function useWords(act: string): Words {
  const claim = claimTexts.useT()
  const deposits = depositsTexts.useT()
  const approvals = adminTexts.useT().approvals
  const { catalogue } = useT()
  const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'step-claims': claim.states,
    'resolve-deposit': deposits.states,
  }
  const known = {
    act: claim.acts,
    kind: approvals.kinds,
    rarity: catalogue.rarities,
    role: adminTexts.useT().users.roles,
    subject: adminTexts.useT().admin.subjects,
    state: states[act] ?? approvals.states,
  }
  return { language: useLanguage(), t: adminTexts.useT().log, catalogue, known }
}
