import { useParams } from '@tanstack/react-router'
import { LinkedGift } from '@/features/gifts/linked-gift'

export function GiftPage() {
  const { giftId } = useParams({ from: '/gift/$giftId' })
  return <LinkedGift key={giftId} id={giftId} />
}
