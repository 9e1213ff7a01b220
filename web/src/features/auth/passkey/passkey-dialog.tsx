import { Dialog, DialogContent } from '@/components/ui/dialog'
import type { OpenQuestion } from './question'
import QuestionView from './question-view'

/** A question of the passkey wallet while the connect dialog is closed, such as a gift to sign. */
export default function PasskeyDialog({ openQuestion }: { openQuestion: OpenQuestion }) {
  return (
    <Dialog open onOpenChange={(open) => !open && openQuestion.cancel()}>
      <DialogContent className="max-w-lg">
        <QuestionView openQuestion={openQuestion} />
      </DialogContent>
    </Dialog>
  )
}
