package resvg

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// addYields returns a module whose code calls a function of the host after every so many passes
// through loops, and is otherwise the same. Compiled WebAssembly can't be preempted: without this, a
// garbage collection would stop the whole process until an image is finished. wazero can check for
// the end of the context in each loop instead, but that takes 2.5 times the processor time.
//
// function is the index of the imported function. It takes an integer, which is 0.
func addYields(module []byte, function, every uint32) ([]byte, error) {
	r := &reader{rest: module}
	out := append([]byte{}, r.bytes(8)...) // magic number and version
	counter, hasCounter := uint32(0), false
	for len(r.rest) > 0 && r.err == nil {
		id, section := r.byte(), &reader{rest: r.bytes(r.number())}
		content := section.rest
		switch id {
		case globalSection:
			counter, hasCounter = section.number(), true
			content = binary.AppendUvarint(nil, uint64(counter+1))
			content = append(content, section.rest...)
			content = append(content, typeI32, 1) // mutable
			content = append(appendConstant(content, every), opEnd)
		case codeSection:
			if !hasCounter {
				return nil, errors.New("a module without globals")
			}
			content = section.functionsWithYields(yieldCode(counter, function, every))
		}
		if section.err != nil {
			return nil, section.err
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(content))), content...)
	}
	return out, r.err
}

// Parts of WebAssembly's binary format.
const (
	globalSection = 6
	codeSection   = 10

	typeI32   = 0x7f
	emptyType = 0x40

	opLoop      = 0x03
	opIf        = 0x04
	opEnd       = 0x0b
	opBrTable   = 0x0e
	opCall      = 0x10
	opSelect    = 0x1c // with types
	opGlobalGet = 0x23
	opGlobalSet = 0x24
	opI32Const  = 0x41
	opF32Const  = 0x43
	opF64Const  = 0x44
	opI32Eqz    = 0x45
	opI32Sub    = 0x6b
	opMore      = 0xfc // a prefix
)

// yieldCode counts down a global, and calls a function when it is 0.
func yieldCode(counter, function, every uint32) []byte {
	get := binary.AppendUvarint([]byte{opGlobalGet}, uint64(counter))
	set := binary.AppendUvarint([]byte{opGlobalSet}, uint64(counter))
	code := append(appendConstant(append([]byte{}, get...), 1), opI32Sub)
	code = append(append(code, set...), get...)
	code = append(code, opI32Eqz, opIf, emptyType)
	code = append(appendConstant(code, every), set...)
	code = binary.AppendUvarint(append(appendConstant(code, 0), opCall), uint64(function))
	return append(code, opEnd)
}

// appendConstant appends an instruction that pushes a non-negative integer.
func appendConstant(code []byte, n uint32) []byte {
	code = append(code, opI32Const)
	for ; n >= 0x40; n >>= 7 { // 0x40 is the sign
		code = append(code, byte(n)|0x80)
	}
	return append(code, byte(n))
}

// reader reads WebAssembly. After an error it reads nothing more.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.rest)) {
		r.fail(errors.New("the module is incomplete"))
		return nil
	}
	found := r.rest[:n]
	r.rest = r.rest[n:]
	return found
}

func (r *reader) byte() byte {
	if found := r.bytes(1); len(found) == 1 {
		return found[0]
	}
	return 0
}

// number reads an unsigned integer of 32 bits, or skips another one.
func (r *reader) number() uint32 {
	n := uint64(0)
	for shift := 0; ; shift += 7 {
		next := r.byte()
		n |= uint64(next&0x7f) << shift
		if next < 0x80 {
			return uint32(n)
		}
	}
}

func (r *reader) skipNumbers(n uint32) {
	for ; n > 0 && r.err == nil; n-- {
		r.number()
	}
}

// functionsWithYields reads a code section and returns it with code added to each loop.
func (r *reader) functionsWithYields(added []byte) []byte {
	functions := r.number()
	out := binary.AppendUvarint(nil, uint64(functions))
	for ; functions > 0 && r.err == nil; functions-- {
		body := &reader{rest: r.bytes(r.number())}
		changed := body.withYields(added)
		if body.err != nil {
			r.fail(body.err)
		}
		out = append(binary.AppendUvarint(out, uint64(len(changed))), changed...)
	}
	return out
}

// withYields reads a function and returns it with code added to each loop.
func (r *reader) withYields(added []byte) []byte {
	body := r.rest
	for groups := r.number(); groups > 0 && r.err == nil; groups-- {
		r.skipNumbers(2) // number and type of local variables
	}
	var out []byte
	copied := 0
	for len(r.rest) > 0 {
		opcode := r.byte()
		r.skipOperands(opcode)
		if opcode == opLoop {
			end := len(body) - len(r.rest)
			out = append(append(out, body[copied:end]...), added...)
			copied = end
		}
	}
	return append(out, body[copied:]...)
}

// skipOperands reads the operands of an instruction. It fails on instructions that resvg doesn't
// use.
func (r *reader) skipOperands(opcode byte) {
	switch {
	case opcode == opBrTable:
		r.skipNumbers(r.number() + 1)
	case opcode == opSelect:
		r.skipNumbers(r.number())
	case opcode == opF32Const:
		r.bytes(4)
	case opcode == opF64Const:
		r.bytes(8)
	case opcode == opMore:
		if second := r.number(); second >= 8 && second <= 17 { // memory.init to table.fill
			r.skipNumbers([...]uint32{2, 1, 2, 1, 2, 1, 2, 1, 1, 1}[second-8])
		} else if second > 17 {
			r.fail(fmt.Errorf("unknown instruction 0x%x 0x%x", opcode, second))
		}
	case opcode >= 0x28 && opcode <= 0x3e, opcode == 0x11: // loads and stores, call_indirect
		r.skipNumbers(2)
	case opcode >= 0x02 && opcode <= 0x04, opcode == 0x0c, opcode == 0x0d, opcode == opCall, opcode >= 0x20 && opcode <= 0x26, opcode >= 0x3f && opcode <= 0x42:
		r.skipNumbers(1)
	case opcode <= 0x01, opcode == 0x05, opcode == opEnd, opcode == 0x0f, opcode == 0x1a, opcode == 0x1b, opcode >= opI32Eqz && opcode <= 0xc4:
	default:
		r.fail(fmt.Errorf("unknown instruction 0x%x", opcode))
	}
}
