package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A rewriter writes a file in which every operator is a call that can choose another one.
type rewriter struct {
	*source
	file *ast.File
	text string
	fn   string            // the function that is being written
	keys map[ast.Expr]bool // the indices in a literal of an array, which must be constant too
}

// rewrite returns a file with all of its mutants, which it adds to the source.
func (s *source) rewrite(file *ast.File) string {
	r := &rewriter{source: s, file: file, text: s.text[file], keys: map[ast.Expr]bool{}}
	return r.between(file.FileStart, file.FileEnd, children(file))
}

func (r *rewriter) raw(from, to token.Pos) string {
	return r.text[r.offset(from):r.offset(to)]
}

func (r *rewriter) offset(p token.Pos) int { return r.set.Position(p).Offset }

// children are the nodes right under one but comments. Of a function they begin with the receiver,
// before the type, which begins before it: between leaves the type as it is.
func children(n ast.Node) (list []ast.Node) {
	ast.Inspect(n, func(c ast.Node) bool {
		if _, comment := c.(*ast.CommentGroup); c != nil && c != n && !comment {
			list = append(list, c)
		}
		return c == n
	})
	return list
}

// between writes a stretch of the file with the nodes in it.
func (r *rewriter) between(from, to token.Pos, nodes []ast.Node) string {
	var out strings.Builder
	for _, n := range nodes {
		if n.Pos() < from {
			continue
		}
		out.WriteString(r.raw(from, n.Pos()))
		out.WriteString(r.node(n))
		from = n.End()
	}
	out.WriteString(r.raw(from, to))
	return out.String()
}

func (r *rewriter) node(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncDecl:
		r.fn = n.Name.Name
		if n.Recv != nil {
			receiver := n.Recv.List[0].Type
			r.fn = strings.TrimPrefix(r.raw(receiver.Pos(), receiver.End()), "*") + "." + r.fn
		}
		defer func() { r.fn = "" }()
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			return r.mustBeConstant(n)
		}
	case *ast.ArrayType:
		if n.Len != nil {
			r.mustBeConstant(n.Len)
		}
		return r.raw(n.Pos(), n.End())
	case *ast.CompositeLit:
		r.noteKeys(n)
	case ast.Expr:
		if text, done := r.expression(n); done {
			return text
		}
	case *ast.IncDecStmt:
		x := r.node(n.X)
		first := r.add(n.TokPos, n.Tok, steps[n.Tok], open)
		sign := "+="
		if n.Tok == token.DEC {
			sign = "-="
		}
		return fmt.Sprintf("%s %s mutantStep[%s](%d)", x, sign, r.typeName(r.info.TypeOf(n.X)), first)
	}
	return r.between(n.Pos(), n.End(), children(n))
}

// noteKeys remembers the indices of a literal of an array or slice.
func (r *rewriter) noteKeys(n *ast.CompositeLit) {
	switch r.info.TypeOf(n).Underlying().(type) {
	case *types.Array, *types.Slice:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				r.keys[kv.Key] = true
			}
		}
	}
}

// expression writes one with an operator, or a constant one as a whole.
func (r *rewriter) expression(e ast.Expr) (string, bool) {
	if r.keys[e] {
		return r.mustBeConstant(e), true
	}
	if r.info.Types[e].Value != nil {
		return r.constant(e), true
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		op, ok := binaries[e.Op]
		if !ok || isString(r.info.TypeOf(e.X)) && isArithmetic(e.Op) {
			if ok {
				r.add(e.OpPos, e.Op, op, notCompiled)
			}
			break
		}
		first := r.add(e.OpPos, e.Op, op, open)
		if e.Op == token.EQL || e.Op == token.NEQ {
			return fmt.Sprintf("%s(%d, %s)", op.call, first, r.between(e.Pos(), e.End(), children(e))), true
		}
		call := op.call
		if basic, ok := r.info.TypeOf(e.X).(*types.Basic); ok {
			call += "[" + basic.Name() + "]" // not left to inference, to which 1<<n is an int
		}
		return fmt.Sprintf("%s(%d, %s, %s)", call, first, r.node(e.X), r.node(e.Y)), true
	case *ast.UnaryExpr:
		if op, ok := unaries[e.Op]; ok {
			return fmt.Sprintf("%s(%d, %s)", op.call, r.add(e.OpPos, e.Op, op, open), r.node(e.X)), true
		}
	}
	return "", false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isArithmetic(op token.Token) bool { return binaries[op].changes[0].names[0] == arithmetic }

// constant writes a constant expression with the values that it would have.
func (r *rewriter) constant(e ast.Expr) string {
	text := r.raw(e.Pos(), e.End())
	as := r.typeName(types.Default(r.info.TypeOf(e)))
	out := text
	r.operators(e, func(at token.Pos, from token.Token, op operator) {
		first := r.add(at, from, op, open)
		for i, c := range op.changes {
			m := r.mutants[first+i]
			m.call = m.id
			start := r.offset(at) - r.offset(e.Pos())
			changed := text[:start] + " " + c.to.String() + " " + text[start+len(from.String()):]
			if _, err := types.Eval(r.set, r.pkg, e.Pos(), as+"("+changed+")"); err != nil {
				m.Verdict = notCompiled
				continue
			}
			out = fmt.Sprintf("mutantConstant[%s](%d, %s, %s)", as, m.id, out, changed)
		}
	})
	return out
}

// mustBeConstant leaves what the compiler needs as a constant, and notes its mutants for
// -constants.
func (r *rewriter) mustBeConstant(n ast.Node) string {
	r.operators(n, func(at token.Pos, from token.Token, op operator) { r.add(at, from, op, constant) })
	return r.raw(n.Pos(), n.End())
}

// operators calls do for each operator under a node.
func (r *rewriter) operators(n ast.Node, do func(at token.Pos, from token.Token, op operator)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if op, ok := binaries[n.Op]; ok {
				do(n.OpPos, n.Op, op)
			}
		case *ast.UnaryExpr:
			if op, ok := unaries[n.Op]; ok {
				do(n.OpPos, n.Op, op)
			}
		}
		return true
	})
}

// add notes the mutants of an operator and returns the number of the first.
func (r *rewriter) add(at token.Pos, from token.Token, op operator, verdict string) int {
	first := len(r.mutants)
	place := r.set.Position(at)
	for _, c := range op.changes {
		r.mutants = append(r.mutants, &mutant{File: place.Filename, Line: place.Line, Column: place.Column, Func: r.fn,
			From: from.String(), To: c.to.String(), Names: c.names, Verdict: verdict, id: len(r.mutants), call: first, offset: place.Offset, alone: verdict == constant})
	}
	return first
}

// typeName is a type as this package writes it.
func (r *rewriter) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		return p.Name()
	})
}
