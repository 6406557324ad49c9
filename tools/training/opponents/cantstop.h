/* The fast simulator, which trains the strongest opponent and plays tournaments: Can't Stop in C. Tests play the same
 * games with the engine.
 *
 * Columns are numbered 0 to 10 here (the game's 2 to 12). A "view" is the board as one player sees it: that player
 * first, the others in the order of play. A solo game is a game of one player.
 */
#pragma once
#include <stdint.h>

enum { COLUMNS = 11, SEATS = MOST_PLAYERS, SPACES = 14, HIDDEN = 64, HIDDEN2 = 16, CLASSES = 6 };

static const int TOP[COLUMNS] = {3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3};

typedef float v16 __attribute__((vector_size(64)));
typedef int whole16 __attribute__((vector_size(64)));
typedef struct { int players, columns_to_win, fast_start, no_stop_on_marker, leap; } Rules; /* fast_start 0, 1, 2=strict */
typedef struct { int8_t marker[SEATS][COLUMNS]; int turn; } Board;


/* The value of a position at the beginning of a turn for each player of the view: chances to win, or in a solo game
 * the turns that are left. The first layer is a sum over columns and opponents of one row for (own space, their space).
 * Mirrored columns (2 and 12, 3 and 11 …) share their rows. All parameters lie in one array, in this order. */
typedef struct {
    int players, heads, features;
    int count;      /* of parameters */
    float *p;       /* parameters */
    float *g, *m, *v; /* gradient, Adam's two moments; only in training */
    long steps;
} Net;

/* tables.c */
typedef struct { int weight, pairings, pairing[3]; } RollOf; /* of the 126 */
typedef struct { v16 weight[3]; whole16 move[3][3]; int sets, bust, offered[9]; } Three; /* three runners out */
extern RollOf ROLLS[126];
extern int PAIR_LOW[66], PAIR_HIGH[66], PAIRING[COLUMNS][COLUMNS], PAIR_OFFERED[66], TRIPLE[COLUMNS][COLUMNS][COLUMNS];
extern Three THREE[2][165][8];
void tables(void);
uint32_t dice(uint64_t *seed); /* the index of a roll among ROLLS */
double chance(uint64_t *seed);
int won(const Board *board, int player);
int owner(const Board *board, int column);

/* net.c */
static inline const float *w_rows(const Net *n) { return n->p; }
static inline const float *w_bias(const Net *n) { return n->p + n->features * HIDDEN; }
static inline const float *w_two(const Net *n) { return w_bias(n) + HIDDEN; }                 /* [HIDDEN][HIDDEN2] */
static inline const float *w_bias2(const Net *n) { return w_two(n) + HIDDEN * HIDDEN2; }
static inline const float *w_out(const Net *n) { return w_bias2(n) + HIDDEN2; }               /* [heads][HIDDEN2] */
static inline const float *w_bias3(const Net *n) { return w_out(n) + n->heads * HIDDEN2; }
Net *net_new(int players, uint64_t seed, int training);
int feature(int players, int column, int nth, int own, int theirs, int other);
void features_of(const Board *board, int players, int column, int viewer, int *out); /* one for each opponent */
void net_sum(const Net *net, const Board *board, int players, int viewer, float *sum);
float net_head(const Net *net, const float *sum, int head);                            /* before the sigmoid */
float net_value(const Net *net, const float *sum, int head);                           /* chance, or turns left */
typedef struct { int16_t feature[COLUMNS * (SEATS - 1)]; float target[SEATS]; } Sample;
double net_fit(Net *net, const Sample *samples, const int *which, int count, float rate); /* returns the loss */

/* turn.c */
typedef struct { int8_t n, column[3], step[3]; int index, total; } Runners; /* lowest column first; steps in this turn */
static inline int step_of(const Runners *r, int column) /* 0: no runner */
{
    for (int i = 0; i < r->n; i++)
        if (r->column[i] == column) return r->step[i];
    return 0;
}
typedef struct Turn Turn;
Turn *turn_new(void);
void turn_free(Turn *turn);
void turn_begin(Turn *turn, const Rules *rules, const Net *net, const Board *board);
float turn_bust(const Turn *turn);
float turn_solve(Turn *turn, const Runners *root, float least); /* returns the value of rolling */
int turn_options(Turn *turn, const Runners *at, int roll, Runners *out);      /* what a roll leads to; 0: bust */
float turn_value(Turn *turn, const Runners *at);
Runners turn_placed(const Turn *turn, Runners at); /* with its index */
float turn_stop_value(Turn *turn, const Runners *at);
int turn_sure(const Turn *turn, const Runners *at); /* whether what it is worth was looked into */
int turn_usable(const Turn *turn);
int turn_space(const Turn *turn, int column, int step);
int turn_steps(const Turn *turn, int column);
void turn_stop(const Turn *turn, const Runners *at, Board *board);            /* carries out the stop */

/* players.c */
enum { LEARNED = 0, OUTER = 1, INNER = 2, EVOLVED = 3 };
typedef struct { int kind; const Net *net; float least; } Player;
int reference_turn(Turn *turn, int kind, const Rules *rules, Board *board, uint64_t *seed);
int learned_turn(Turn *turn, Turn *spare, const Player *player, const Rules *rules, Board *board, uint64_t *seed, float *first);
